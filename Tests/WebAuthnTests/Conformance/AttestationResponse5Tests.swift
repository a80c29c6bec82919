// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import Crypto
import Foundation
import JOSE
import Primitives
import Support
import SwiftASN1
import Testing
import WebAuthn
import X509

@Suite("Server-ServerAuthenticatorAttestationResponse-Resp-5: packed, full")
struct AttestationResponse5Tests {
    private static let model = [UInt8](1...16)

    /// A packed attestation of a model that metadata know, with nothing else trusted.
    private static func known(
        anchors: (Attested) throws -> [[UInt8]]
    ) throws -> (Attested, AuthenticatorTrust, AuthenticatorModel) {
        var made = try Attested(format: "packed")
        made.ceremony.passkey.aaguid = model
        let issued = try made.authority.issue()
        try made.sign(by: issued, path: [issued.der, made.authority.intermediate.der])
        let trust = AuthenticatorTrust(anchors: try TrustAnchors(der: try anchors(made)))
        let name = AuthenticatorModel.aaguid(try #require(AAGUID(model)))
        made.policy = .unassessed
        made.policy.source = TestTrustSource(models: [name: trust])
        return (made, trust, name)
    }

    @Test("Resp-5 P-1: a full attestation is accepted")
    func p1() async throws {
        let verified = try await Attested.packed().verify().get()
        #expect(verified.attestationType == .certified)
        #expect(verified.trust == .anchored)
    }

    @Test("Resp-5 P-2: the chain leads to the root of the metadata")
    func p2() async throws {
        let (made, _, _) = try Self.known { [try $0.authority.root.der] }
        #expect(try await made.verify().get().trust == .anchored)
    }

    @Test("Resp-5 P-3: the batch certificate is itself the anchor")
    func p3() async throws {
        var (made, _, name) = try Self.known { [try $0.authority.root.der] }
        let batch = try #require(made.statement["x5c"]?.items?.first?.byteString)
        made.statement["x5c"] = x5c([Array(batch)])
        made.policy.source = TestTrustSource(models: [
            name: AuthenticatorTrust(anchors: try TrustAnchors(der: [Array(batch)]))
        ])
        #expect(try await made.verify().get().trust == .anchored)
    }

    @Test("Resp-5 P-4: a root whose basic constraints are critical")
    func p4() async throws {
        let made = try Attested.packed()
        let root = made.authority.root.certificate
        let constraints = root.extensions.first { $0.oid == [2, 5, 29, 19] }
        #expect(constraints?.critical == true)
        #expect(await made.refusal() == nil)
    }

    @Test("Resp-5 P-5: metadata with vendor commands of 64 bits")
    func p5() async throws {
        var (made, _, _) = try Self.known { [try $0.authority.root.der] }
        var statement = MetadataPublisher.statement()
        let root = Data(try made.authority.root.der).base64EncodedString()
        statement["attestationRootCertificates"] = [.string(root)]
        statement["authenticatorGetInfo"] = [
            "vendorPrototypeConfigCommands": [4_611_686_018_427_387_903, "WIDE"]
        ]
        let aaguid = try #require(AAGUID(Self.model)).description
        let payload = MetadataPublisher.payload(entries: [
            MetadataPublisher.entry(aaguid: aaguid, statement: statement)
        ])
        let text = String(decoding: payload.bytes, as: UTF8.self)
            .replacing("\"WIDE\"", with: "18446744073709551615")
        let publisher = try MetadataPublisher()
        let blob = try publisher.sign(
            publisher.header(try publisher.path).bytes, Array(text.utf8))
        let now = made.ceremony.expectation.now
        let store = MetadataStore(try await publisher.verifier().verify(blob, now: now))
        made.policy.source = store.snapshot(at: now)
        #expect(try await made.verify().get().trust == .anchored)
    }

    @Test("Resp-5 F-1: an unknown fmt")
    func f1() async throws {
        for format in ["packed2", "PACKED", "", "android", "fido_u2f"] {
            var made = try Attested.packed()
            made.ceremony.format = format
            #expect(
                await made.refusal() == refusal(.registration, 21, .attestationFormatUnsupported))
        }
    }

    @Test("Resp-5 F-2: a bad signature")
    func f2() async throws {
        var made = try Attested.packed()
        made.ceremony.passkey.signCount = 9
        #expect(await made.refusal() == statementRefusal(.attestationSignatureInvalid))
    }

    @Test(
        "Resp-5 F-3: x5c is missing, so the certificate's signature is taken for the credential's")
    func f3() async throws {
        var made = try Attested.packed()
        made.statement["x5c"] = nil
        #expect(await made.refusal() == statementRefusal(.attestationSignatureInvalid))
    }

    @Test("Resp-5 F-4: x5c is no array")
    func f4() async throws {
        var made = try Attested.packed()
        made.statement["x5c"] = .byteString([1])
        #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
    }

    @Test("Resp-5 F-5: x5c is empty")
    func f5() async throws {
        var made = try Attested.packed()
        made.statement["x5c"] = .array([])
        #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
    }

    @Test("Resp-5 F-6: the leaf has expired")
    func f6() async throws {
        let made = try Attested.packed(.init(validity: Self.past))
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
    }

    @Test("Resp-5 F-7: the leaf is not valid yet")
    func f7() async throws {
        let made = try Attested.packed(.init(validity: Self.future))
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
    }

    @Test("Resp-5 F-8: the credential's algorithm is none of the metadata")
    func f8() async throws {
        var (made, trust, name) = try Self.known { [try $0.authority.root.der] }
        trust.algorithms = [.rs256]
        made.policy.source = TestTrustSource(models: [name: trust])
        #expect(await made.refusal() == trustRefusal(.attestationModelNotAllowed))
    }

    @Test("Resp-5 F-9: the chain is broken: an intermediate of the same name but another key")
    func f9() async throws {
        var made = try Attested.packed()
        let leaf = try #require(made.statement["x5c"]?.items?.first?.byteString)
        let other = try AttestationAuthority.issuer(
            "Intermediate", .init(), by: made.authority.root)
        made.statement["x5c"] = x5c([Array(leaf), try other.der])
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
    }

    @Test("Resp-5 F-10: the full chain, root included")
    func f10() async throws {
        var made = try Attested.packed()
        let path = made.statement["x5c"]?.items ?? []
        made.statement["x5c"] = .array(path + [.byteString(try made.authority.root.der)])
        #expect(await made.refusal() == statementRefusal(.attestationCertificateInvalid))
    }

    @Test("Resp-5 F-11: misordered")
    func f11() async throws {
        var made = try Attested.packed()
        made.statement["x5c"] = .array((made.statement["x5c"]?.items ?? []).reversed())
        #expect(await made.refusal() == statementRefusal(.attestationCertificateInvalid))
    }

    @Test("Resp-5 F-12: the intermediate has expired")
    func f12() async throws {
        let authority = try AttestationAuthority(intermediateValidity: Self.past)
        let made = try Attested.packed(authority: authority)
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
    }

    @Test("Resp-5 F-13: not signed by the leaf's key")
    func f13() async throws {
        var made = try Attested.packed()
        let other = try made.authority.issue()
        made.statement["sig"] = .byteString(
            try other.key.signature(for: made.message).derRepresentation)
        #expect(await made.refusal() == statementRefusal(.attestationSignatureInvalid))
    }

    @Test("Resp-5 F-14: signed by the credential's key")
    func f14() async throws {
        var made = try Attested.packed()
        try made.signBySelf()
        #expect(await made.refusal() == statementRefusal(.attestationSignatureInvalid))
    }

    static let past =
        Date(timeIntervalSince1970: 1_700_000_000)...Date(timeIntervalSince1970: 1_750_000_000)
    static let future =
        Date(timeIntervalSince1970: 1_850_000_000)...Date(timeIntervalSince1970: 1_900_000_000)
}
