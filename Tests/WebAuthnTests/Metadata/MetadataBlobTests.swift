// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Foundation
import JOSE
import Primitives
import Testing
import WebAuthn

/// FIDO Metadata Service 3.1.1 section 3.2: which BLOBs are taken over (attack 24). Names that
/// begin with "MDS3" are those of the FIDO conformance tests.
@Suite struct MetadataBlobTests {
    typealias Publisher = MetadataPublisher

    private func refusal(
        _ bytes: [UInt8], by verifier: MetadataBlobVerifier, replacing: Int64? = nil,
        now: Timestamp = Publisher.now
    ) async -> MetadataRefusal.Code? {
        do throws(MetadataRefusal) {
            _ = try await verifier.verify(bytes, replacing: replacing, now: now)
            return nil
        } catch { return error.code }
    }

    @Test("MDS3 P-1: an entry that is in order is found by its AAGUID")
    func accepted() async throws {
        let publisher = try Publisher()
        let blob = try await publisher.verifier().verify(try publisher.blob(), now: Publisher.now)
        #expect(blob.number == 7)
        #expect(blob.faults.isEmpty)
        let store = MetadataStore(blob)
        let model = AuthenticatorModel.aaguid(try #require(AAGUID(Publisher.model)))
        let trust = try #require(store.snapshot(at: Publisher.now).statement(for: model))
        #expect(trust.refusal == nil)
        #expect(trust.name == "Example Key")
        #expect(trust.attestationTypes == [.certified])
        #expect(trust.algorithms == [.es256, .esp256])
    }

    @Test("MDS3 F-1: a model whose keys were compromised is refused")
    func compromised() async throws {
        let publisher = try Publisher()
        let entry = Publisher.entry(reports: [
            ["status": "FIDO_CERTIFIED", "effectiveDate": "2020-01-01"],
            ["status": "USER_KEY_REMOTE_COMPROMISE", "effectiveDate": "2025-01-01"],
        ])
        let blob = try await publisher.verifier()
            .verify(try publisher.blob(Publisher.payload(entries: [entry])), now: Publisher.now)
        let model = AuthenticatorModel.aaguid(try #require(AAGUID(Publisher.model)))
        let snapshot = MetadataStore(blob).snapshot(at: Publisher.now)
        #expect(snapshot.statement(for: model)?.refusal == "USER_KEY_REMOTE_COMPROMISE")
    }

    @Test("MDS3 F-2: a BLOB whose signature is wrong is refused")
    func signature() async throws {
        let publisher = try Publisher()
        let verifier = try publisher.verifier()
        // Another payload under the same signature.
        let good = String(decoding: try publisher.blob(), as: UTF8.self).split(separator: ".")
        let other = Base64URL.encode(Publisher.payload(number: 8).bytes)
        let mixed = "\(good[0]).\(other).\(good[2])"
        #expect(await refusal(Array(mixed.utf8), by: verifier) == .signatureInvalid)
        // Signed by another key than that of the certificate.
        let stranger = try Publisher(authority: publisher.authority)
        let bytes = try stranger.sign(
            publisher.header(try publisher.path).bytes, Publisher.payload().bytes)
        #expect(await refusal(bytes, by: verifier) == .signatureInvalid)
    }

    @Test("MDS3 F-3: a BLOB whose chain does not lead to a configured root is refused")
    func chain() async throws {
        let publisher = try Publisher()
        let verifier = try publisher.verifier()
        #expect(await refusal(try Publisher().blob(), by: verifier) == .chainUntrusted)
        let (leaf, middle) = (try publisher.signer.der, try publisher.authority.intermediate.der)
        let otherMiddle = try AttestationAuthority().intermediate.der
        for path in [[leaf], [leaf, otherMiddle], [middle, leaf]] {
            let bytes = try publisher.sign(
                publisher.header(path).bytes, Publisher.payload().bytes)
            let code = await refusal(bytes, by: verifier)
            #expect(code == (path == [middle, leaf] ? .signerUnknown : .chainUntrusted))
        }
    }

    @Test("MDS3 F-4: a revoked intermediate is refused")
    func revokedIntermediate() async throws {
        let publisher = try Publisher()
        let list = try Publisher.list(by: publisher.authority.root, revoking: [[1, 2, 3]])
        let verifier = try publisher.verifier(lists: [list])
        #expect(await refusal(try publisher.blob(), by: verifier) == .certificateRevoked)
    }

    @Test("MDS3 F-5: a revoked leaf is refused, by a list out of date as well")
    func revokedLeaf() async throws {
        let publisher = try Publisher()
        for year in [2030, 2025] {
            let list = try Publisher.list(
                by: publisher.authority.intermediate, revoking: [[4], [9, 9]], nextUpdate: year)
            let verifier = try publisher.verifier(lists: [list])
            #expect(await refusal(try publisher.blob(), by: verifier) == .certificateRevoked)
        }
    }

    @Test("Where revocation must be known, each certificate needs a current list of its issuer")
    func revocationRequired() async throws {
        let publisher = try Publisher()
        let (root, middle) = (publisher.authority.root, publisher.authority.intermediate)
        let blob = try publisher.blob()
        let ofRoot = try Publisher.list(by: root)
        let ofMiddle = try Publisher.list(by: middle, revoking: [[9, 8]])
        let both = try publisher.verifier(lists: [ofRoot, ofMiddle], required: true)
        #expect(await refusal(blob, by: both) == nil)
        let stale = try Publisher.list(by: middle, nextUpdate: 2025)
        // Of the same name, but signed by another key.
        let forged = try Publisher.list(by: try AttestationAuthority().intermediate)
        for lists in [[], [ofRoot], [ofMiddle], [ofRoot, stale], [ofRoot, forged]] {
            let verifier = try publisher.verifier(lists: lists, required: true)
            #expect(await refusal(blob, by: verifier) == .revocationUnknown)
        }
    }

    @Test("A list of another issuer revokes nothing")
    func foreignList() async throws {
        let publisher = try Publisher()
        let forged = try Publisher.list(
            by: try AttestationAuthority().intermediate, revoking: [[9, 9]])
        #expect(
            await refusal(try publisher.blob(), by: try publisher.verifier(lists: [forged])) == nil)
    }

    @Test(
        "A revocation list that is unreadable or has a critical extension is a configuration error")
    func listMalformed() throws {
        let publisher = try Publisher()
        let good = try Publisher.list(by: publisher.authority.root)
        let partial = try Publisher.list(by: publisher.authority.root, critical: true)
        for bytes in [[], [0x30, 0], Array(good.dropLast()), good + [0], partial] as [[UInt8]] {
            #expect(throws: MetadataRefusal(.revocationListInvalid, "")) {
                try publisher.verifier(lists: [bytes])
            }
        }
    }

    @Test("Attack 24: algorithms that the certificate's key is not for are refused")
    func algorithm() async throws {
        let publisher = try Publisher()
        let verifier = try publisher.verifier()
        for name in ["none", "HS256", "RS256", "ES384", "EdDSA", "es256", ""] {
            let bytes = try publisher.blob { $0["alg"] = .string(name) }
            #expect(await refusal(bytes, by: verifier) == .algorithmNotAllowed)
        }
        // The public key as an HMAC secret is the classic; `none` without a signature the other.
        let unsigned = try publisher.blob { $0["alg"] = "none" }
        let cut = unsigned.prefix(through: unsigned.lastIndex(of: UInt8(ascii: ".")) ?? 0)
        #expect(await refusal(Array(cut), by: verifier) == .algorithmNotAllowed)
    }

    @Test(
        "Attack 24: addresses and keys in the header are refused", arguments: ["x5u", "jku", "jwk"])
    func addresses(_ member: String) async throws {
        let publisher = try Publisher()
        let bytes = try publisher.blob { $0[member] = "https://mds.example.org/chain" }
        #expect(await refusal(bytes, by: try publisher.verifier()) == .addressNotAllowed)
    }

    @Test("Attack 24: a lower number is refused, the same one is not")
    func rollBack() async throws {
        let publisher = try Publisher()
        let verifier = try publisher.verifier()
        let blob = try publisher.blob()
        #expect(await refusal(blob, by: verifier, replacing: 8) == .rolledBack)
        #expect(await refusal(blob, by: verifier, replacing: 7) == nil)
        #expect(await refusal(blob, by: verifier, replacing: 6) == nil)
    }

    @Test("Attack 24: an overdue BLOB is refused only by a policy that minds")
    func overdue() async throws {
        let publisher = try Publisher()
        let bytes = try publisher.blob(Publisher.payload(nextUpdate: "2027-01-01"))
        let due = Timestamp(seconds: 1_798_848_000)
        #expect(await refusal(bytes, by: try publisher.verifier()) == nil)
        let strict = try publisher.verifier(grace: .days(1))
        #expect(await refusal(bytes, by: strict, now: due + .days(1)) == nil)
        let late = due + .days(1) + .seconds(1)
        #expect(await refusal(bytes, by: strict, now: late) == .outdated)
    }

    @Test("Attack 24: a certificate for another name is refused, whatever its issuer")
    func signerName() async throws {
        for names in [["login.example.org"], ["evil-mds.example.org", "mds.example.org.evil"]] {
            let publisher = try Publisher(names: names)
            #expect(
                await refusal(try publisher.blob(), by: try publisher.verifier()) == .signerUnknown)
        }
    }

    @Test("Attack 24: an expired certificate is refused")
    func expired() async throws {
        let publisher = try Publisher()
        let late = Timestamp(seconds: 1_900_000_001)
        #expect(
            await refusal(try publisher.blob(), by: try publisher.verifier(), now: late)
                == .chainUntrusted)
    }

    @Test("x5c that is missing, of another form, too long or no certificate is refused")
    func certificates() async throws {
        let publisher = try Publisher()
        let verifier = try publisher.verifier()
        let leaf = JSONValue.string(Data(try publisher.signer.der).base64EncodedString())
        let spoilt: [JSONValue?] = [
            nil, "x", [], [1], ["AA=="], ["A"], [""],
            .array([JSONValue](repeating: leaf, count: 9)),
            // base64url is another alphabet
            [.string(Base64URL.encode(try publisher.signer.der))],
        ]
        for value in spoilt {
            let bytes = try publisher.blob { $0["x5c"] = value }
            #expect(await refusal(bytes, by: verifier) == .certificateInvalid)
        }
    }

    @Test("Attack 24: what is no JWS is refused, and nothing crashes", arguments: 0..<8)
    func corrupt(_ number: Int) async throws {
        let publisher = try Publisher()
        let good = try publisher.blob()
        let hostile: [[UInt8]] = [
            [], [UInt8(ascii: ".")], Array("..".utf8), Array("a.b.c".utf8),
            Array(good.dropLast(200)),
            good + Array(".x".utf8), [0xFF] + good, Array(good.prefix(100)),
        ]
        let code = await refusal(hostile[number], by: try publisher.verifier())
        #expect(code == .malformed || code == .signatureInvalid || code == .algorithmNotAllowed)
        #expect(code != nil)
    }

    @Test("White space after the BLOB does no harm, as a file may end with a line break")
    func trailingSpace() async throws {
        let publisher = try Publisher()
        let bytes = try publisher.blob() + [0x0D, 0x0A]
        #expect(await refusal(bytes, by: try publisher.verifier()) == nil)
    }

    @Test("A payload that is not of the form of section 3.1.6 is refused")
    func payload() async throws {
        let publisher = try Publisher()
        let verifier = try publisher.verifier()
        let spoil: [(String, JSONValue?)] = [
            ("no", nil), ("no", "7"), ("no", -1), ("no", 1.5), ("nextUpdate", nil),
            ("nextUpdate", "2027-13-01"), ("nextUpdate", "2027-01-01T00:00:00Z"),
            ("nextUpdate", 20_270_101), ("entries", nil), ("entries", [:]), ("entries", [1]),
        ]
        for (name, value) in spoil {
            var payload = Publisher.payload()
            payload[name] = value
            let bytes = try publisher.blob(payload)
            #expect(await refusal(bytes, by: verifier) == .payloadMalformed, "\(name)")
        }
        let text = Array(#"{"no":1,"no":2,"nextUpdate":"2027-01-01","entries":[]}"#.utf8)
        let twice = try publisher.sign(publisher.header(try publisher.path).bytes, text)
        #expect(await refusal(twice, by: verifier) == .payloadMalformed)
    }

    @Test("Numbers of 64 bits in a statement are read over")
    func wideNumbers() async throws {
        let publisher = try Publisher()
        let entry = String(decoding: Publisher.entry().bytes, as: UTF8.self).replacing(
            #""keyProtection""#,
            with: #""authenticatorGetInfo":{"vendorPrototypeConfigCommands":"#
                + #"[18446744073709551615,9223372036854775808]},"keyProtection""#)
        let text = #"{"no":1,"nextUpdate":"2027-02-01","entries":[\#(entry)]}"#
        let bytes = try publisher.sign(
            publisher.header(try publisher.path).bytes, Array(text.utf8))
        let blob = try await publisher.verifier().verify(bytes, now: Publisher.now)
        #expect(blob.faults.isEmpty && blob.entries.count == 1)
    }

    @Test("A BLOB longer than the limit is refused unread")
    func tooLarge() async throws {
        let bytes = [UInt8](repeating: 0x41, count: MetadataBlobVerifier.maximumBytes + 1)
        #expect(await refusal(bytes, by: try Publisher().verifier()) == .tooLarge)
    }
}
