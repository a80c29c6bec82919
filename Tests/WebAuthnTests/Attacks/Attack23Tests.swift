// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import Crypto
import CryptoExtras
import SwiftASN1
import Testing
import WebAuthn
import X509

@Suite("Attack 23: Apple's nonce, and U2F")
struct Attack23Tests {
    @Test("An Apple attestation is accepted, with and without its algorithm")
    func apple() async throws {
        var made = try Attested.apple()
        #expect(try await made.verify().get().trust == .anchored)
        made.statement["alg"] = .integer(-7)
        #expect(await made.refusal() == nil)
        made.statement["alg"] = .integer(-257)
        #expect(await made.refusal() == statementRefusal(.attestationAlgorithmMismatch))
    }

    @Test("Attack 23: another nonce, and a nonce of another length")
    func nonce() async throws {
        let good = Array(SHA256.hash(data: try Attested(format: "apple").message))
        for nonce in [[], [1], good.reversed(), good + [0], good.dropLast()] as [[UInt8]] {
            let made = try Attested.apple(nonce: nonce)
            #expect(await made.refusal() == statementRefusal(.attestationChallengeMismatch))
        }
    }

    @Test("Attack 23: no nonce, or one that is not where it should be")
    func noNonce() async throws {
        var made = try Attested.apple()
        let nonce = Array(SHA256.hash(data: made.message))
        for value in [
            nil, [], nonce, der([0x04], nonce), der([0x30], der([0x04], nonce)),
            der([0x30], der([0xA2], der([0x04], nonce))),
            der([0x30], der([0xA1], der([0x04], nonce)) + [5, 0]),
            der([0x30], der([0xA1], der([0x04], nonce))) + [0],
        ] as [[UInt8]?] {
            try made.certify([1, 2, 840, 113635, 100, 8, 2], value, of: made.credentialKey)
            #expect(await made.refusal() == statementRefusal(.attestationCertificateInvalid))
        }
    }

    @Test("Attack 23: a certificate of another key than the credential's")
    func otherKey() async throws {
        let other = P256.Signing.PrivateKey().publicKey
        let made = try Attested.apple(of: .init(other))
        #expect(await made.refusal() == statementRefusal(.attestationKeyMismatch))
        let p384 = P384.Signing.PrivateKey().publicKey
        let larger = try Attested.apple(of: .init(p384))
        #expect(await larger.refusal() == statementRefusal(.attestationKeyMismatch))
    }

    @Test("Attack 23: a U2F certificate of a key that is not on P-256")
    func u2fCertificate() async throws {
        for key in [
            .init(P384.Signing.PrivateKey().publicKey),
            .init(Curve25519.Signing.PrivateKey().publicKey),
            .init(try TestKey.rsaKey.get().publicKey),
        ] as [Certificate.PublicKey] {
            var made = try Attested.u2f()
            let issued = try made.authority.issue(of: key, by: made.authority.root)
            made.statement["x5c"] = x5c([try issued.der])
            #expect(await made.refusal() == statementRefusal(.attestationCertificateInvalid))
        }
    }

    @Test("Attack 23: a U2F credential that is not on P-256")
    func u2fCredential() async throws {
        for algorithm in [.es384, .edDSA, .rs256, .es256k] as [COSEAlgorithm] {
            var made = try Attested.u2f()
            made.use(try TestKey.make(algorithm))
            #expect(await made.refusal() == statementRefusal(.attestationKeyMismatch))
        }
    }

    @Test("Attack 23: a U2F statement with two certificates")
    func u2fPath() async throws {
        var made = try Attested.u2f()
        let issued = try made.authority.issue()
        made.statement["x5c"] = x5c([try issued.der, try made.authority.intermediate.der])
        try made.signU2F(by: issued.key)
        #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
    }

    @Test("Attack 23: a U2F key is looked up by its certificate's key, when it names no model")
    func u2fLookUp() async throws {
        var made = try Attested.u2f()
        let leaf = try #require(made.statement["x5c"]?.items?.first?.byteString)
        let certificate = try Certificate(derEncoded: Array(leaf))
        let identifier = Array(
            Insecure.SHA1.hash(data: certificate.publicKey.subjectPublicKeyInfoBytes))
        var trust = AuthenticatorTrust(
            anchors: try TrustAnchors(der: [try made.authority.root.der]))
        let model = AuthenticatorModel.certificateKey(identifier: identifier)
        made.policy = .unassessed
        made.policy.source = TestTrustSource(models: [model: trust])
        #expect(try await made.verify().get().trust == .anchored)
        trust.refusal = "REVOKED"
        made.policy.source = TestTrustSource(models: [model: trust])
        #expect(await made.refusal() == trustRefusal(.attestationModelNotAllowed))
        trust.refusal = nil
        trust.distrustedCertificates = [Array(leaf)]
        made.policy.source = TestTrustSource(models: [model: trust])
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
    }
}
