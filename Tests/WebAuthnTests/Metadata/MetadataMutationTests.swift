// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import JOSE
import Support
import Testing
import WebAuthn

/// Metadata, revocation lists and extension outputs with random damage: refused or read, and no
/// trap. The fuzz targets of the same parsers go further.
@Suite struct MetadataMutationTests {
    private static let rounds = 1000

    /// One to four bytes changed, inserted or removed.
    private static func damage(_ bytes: [UInt8], _ random: SeededRandom) -> [UInt8] {
        var damaged = bytes
        for _ in 0...(random.next() % 4) where !damaged.isEmpty {
            let index = Int(random.next() % UInt64(damaged.count))
            switch random.next() % 4 {
            case 0: damaged[index] ^= UInt8(1 << (random.next() % 8))
            case 1: damaged[index] = [0, 0x7F, 0x80, 0xFF][Int(random.next() % 4)]
            case 2: damaged.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
            default: damaged.removeSubrange(index..<min(damaged.count, index + 3))
            }
        }
        return damaged
    }

    @Test("A damaged BLOB is never taken over")
    func blob() async throws {
        let publisher = try MetadataPublisher()
        let verifier = try publisher.verifier()
        let good = try publisher.blob()
        let random = SeededRandom(seed: 24)
        var taken = 0
        for _ in 0..<Self.rounds {
            let bytes = Self.damage(good, random)
            if bytes != good,
                (try? await verifier.verify(bytes, now: MetadataPublisher.now)) != nil
            {
                taken += 1
            }
        }
        #expect(taken == 0)
    }

    @Test("A damaged header with a new signature is refused or read")
    func header() async throws {
        let publisher = try MetadataPublisher()
        let verifier = try publisher.verifier()
        let header = publisher.header(try publisher.path).bytes
        let payload = MetadataPublisher.payload().bytes
        let random = SeededRandom(seed: 25)
        var codes: Set<MetadataRefusal.Code> = []
        for _ in 0..<Self.rounds {
            let bytes = try publisher.sign(Self.damage(header, random), payload)
            do throws(MetadataRefusal) {
                _ = try await verifier.verify(bytes, now: MetadataPublisher.now)
            } catch { codes.insert(error.code) }
        }
        #expect(codes.isSuperset(of: [.malformed, .certificateInvalid]))
    }

    @Test("A damaged entry is refused or read, and never lost")
    func entries() {
        let good = MetadataPublisher.payload(entries: [
            MetadataPublisher.entry(reports: [
                ["status": "REVOKED", "effectiveDate": "2026-01-01", "certificate": "MAA="]
            ])
        ]).bytes
        let random = SeededRandom(seed: 26)
        var read = 0
        for _ in 0..<(Self.rounds * 5) {
            let json = try? JSONParser.parseObject(
                Self.damage(good, random), maximumBytes: 1 << 20, wideIntegers: true)
            let objects = (json?["entries"]?.array ?? []).compactMap(\.object)
            let entries = objects.map { MetadataEntry($0) }
            let snapshot = MetadataStore(entries).snapshot(at: MetadataPublisher.now)
            for model in entries.flatMap(\.models) {
                #expect(snapshot.statement(for: model) != nil)
                read += 1
            }
        }
        #expect(read > 0)
    }

    @Test("A damaged revocation list revokes nothing")
    func revocationList() async throws {
        let publisher = try MetadataPublisher()
        let good = try MetadataPublisher.list(
            by: publisher.authority.intermediate, revoking: [[1, 7], [2, 8]])
        let blob = try publisher.blob()
        let random = SeededRandom(seed: 27)
        for _ in 0..<Self.rounds {
            guard let verifier = try? publisher.verifier(lists: [Self.damage(good, random)]) else {
                continue
            }
            _ = try await verifier.verify(blob, now: MetadataPublisher.now)
        }
    }

    @Test("Damaged extension outputs are refused or read")
    func extensions() {
        var asked = RegistrationExtensions()
        asked.credentialProtection = .userVerificationOptional
        asked.minimumPINLength = true
        asked.credentialBlob = [1]
        asked.userVerificationMethod = true
        asked.pseudoRandomFunction = true
        let data = [UInt8](repeating: 0, count: 37).extended(by: [
            CBOREntry(.text("credProtect"), .unsigned(3)),
            CBOREntry(.text("credBlob"), .bool(true)),
            CBOREntry(.text("uvm"), .array([.array([.unsigned(2), .unsigned(4), .unsigned(2)])])),
        ])
        let client = Array(#"{"prf":{"enabled":true},"uvm":[[2,4,2]],"credProps":{}}"#.utf8)
        let random = SeededRandom(seed: 28)
        var read = 0
        for _ in 0..<(Self.rounds * 5) {
            let outputs = (try? AuthenticatorData(Self.damage(data, random)[...]))?.extensions
            let told = try? JSONParser.parseObject(Self.damage(client, random), maximumBytes: 8192)
            let results = try? RegistrationExtensionResults(
                asked, client: told ?? JSONObject(), authenticator: outputs,
                policy: ExtensionPolicy(refusesWeakerProtection: false))
            read += results == nil ? 0 : 1
        }
        #expect(read > 0)
    }
}
