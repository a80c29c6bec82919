// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import JOSE
import Primitives
import Testing
import WebAuthn
import X509

private let now = MetadataPublisher.now
/// -2
private let negative: [UInt8] = [0xFE]

/// Certificates of cards and of metadata services whose serial number is negative (RFC 5280 section 4.1.2.2).
@Suite struct NegativeSerialPathTests {
    private let authority: PersonalAuthority

    init() throws { authority = try PersonalAuthority() }

    /// A card whose own certificate has one, or whose issuer's has.
    private func chains(
        _ change: (inout PersonalAuthority.Holder) -> Void = { _ in }
    ) throws -> [[[UInt8]]] {
        var holder = PersonalAuthority.Holder()
        change(&holder)
        let makers = authority.makers
        let leaf = try authority.issue(holder).der
        let issuer = try makers.intermediate.der
        return [
            [
                try ReissuedCertificate.make(of: leaf, by: makers.intermediate, serial: negative),
                issuer,
            ],
            [leaf, try ReissuedCertificate.make(of: issuer, by: makers.root, serial: negative)],
        ]
    }

    private func verify(
        _ chain: [[UInt8]], anchors: TrustAnchors? = nil, at time: Timestamp = now
    ) async throws -> Result<VerifiedCertificatePath, VerifiedCertificatePath.Refusal> {
        let anchors = try anchors ?? authority.anchors
        do throws(VerifiedCertificatePath.Refusal) {
            return .success(
                try await VerifiedCertificatePath(der: chain, anchors: anchors, now: time))
        } catch { return .failure(error) }
    }

    private func isUntrusted(
        _ result: Result<VerifiedCertificatePath, VerifiedCertificatePath.Refusal>
    ) -> Bool {
        if case .failure(.untrusted) = result { true } else { false }
    }

    @Test("A card with one, or below an issuer with one, leads to the root")
    func card() async throws {
        let root = try authority.makers.root.der
        for chain in try chains() {
            let path = try await verify(chain).get()
            #expect(path.certificates.map(\.der) == chain + [root])
            #expect(path.leaf.principalNames == ["anna@corp.example.com"])
        }
    }

    @Test(
        "Attack 47: such a card of another root, at another time, altered, or for another purpose")
    func refusedCard() async throws {
        let stranger = try PersonalAuthority().anchors
        for chain in try chains() {
            #expect(isUntrusted(try await verify(chain, anchors: stranger)))
            #expect(isUntrusted(try await verify(chain, at: now + .days(3000))))
            var spoilt = chain
            spoilt[0][spoilt[0].count - 1] ^= 1
            #expect(isUntrusted(try await verify(spoilt)))
        }
        for chain in try chains({ $0.keyUsage = KeyUsage(keyEncipherment: true) }) {
            guard case .failure(.purpose) = try await verify(chain) else {
                Issue.record("accepted for another purpose")
                continue
            }
        }
    }

    @Test(
        "A revocation list and a responder name such a card by its number, not by the positive one")
    func status() async throws {
        let path = try await verify(try chains()[0]).get()
        let (leaf, issuer) = (path.certificates[0], path.certificates[1])
        for (serial, expected) in [
            (negative, CertificateStatus.revoked), ([0x00, 0xFE], .good(until: Self.end)),
        ] {
            var evidence = RevocationData()
            try evidence.add(
                try MetadataPublisher.list(
                    by: authority.makers.intermediate, revokingContent: [serial]))
            #expect(evidence.status(of: leaf, issuer: issuer, now: now) == expected)
        }
        let question = OCSPRequest(leaf, issuer: issuer).certificateID
        #expect(question.suffix(3) == [0x02, 0x01, 0xFE])
    }

    private static let end = Timestamp(rfc3339: "2030-01-01T00:00:00Z") ?? now

    // MARK: Metadata

    private func blob(_ publisher: MetadataPublisher, isIssuer: Bool) throws -> [UInt8] {
        let makers = publisher.authority
        var path = try publisher.path
        let index = isIssuer ? 1 : 0
        path[index] = try ReissuedCertificate.make(
            of: path[index], by: isIssuer ? makers.root : makers.intermediate, serial: negative)
        return try publisher.blob { $0["x5c"] = publisher.header(path)["x5c"] }
    }

    @Test(
        "A BLOB whose signer, or the signer's issuer, has one is verified",
        arguments: [false, true])
    func metadata(_ isIssuer: Bool) async throws {
        let publisher = try MetadataPublisher()
        let bytes = try blob(publisher, isIssuer: isIssuer)
        #expect(try await publisher.verifier().verify(bytes, now: now).number == 7)
    }

    @Test("Attack 47: such a BLOB of another root, revoked, or for another name")
    func refusedMetadata() async throws {
        let publisher = try MetadataPublisher()
        let bytes = try blob(publisher, isIssuer: false)
        await #expect(throws: MetadataRefusal.self) {
            try await MetadataPublisher().verifier().verify(bytes, now: now)
        }
        let list = try MetadataPublisher.list(
            by: publisher.authority.intermediate, revokingContent: [negative])
        await #expect(throws: MetadataRefusal.self) {
            try await publisher.verifier(lists: [list]).verify(bytes, now: now)
        }
        let other = try MetadataPublisher(names: ["other.example.org"])
        let named = try blob(other, isIssuer: false)
        await #expect(throws: MetadataRefusal.self) {
            try await other.verifier().verify(named, now: now)
        }
    }
}
