// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import Testing
import WebAuthn

@Suite("Server-ServerAuthenticatorAttestationResponse-Resp-4: algorithms, self attestation")
struct AttestationResponse4Tests {
    static let cases: [(String, COSEAlgorithm)] = [
        ("Resp-4 P-1: ES256K", .es256k), ("Resp-4 P-2: PS256", .ps256),
        ("Resp-4 P-3: PS384", .ps384), ("Resp-4 P-4: PS512", .ps512),
        ("Resp-4 P-5: RS256", .rs256), ("Resp-4 P-6: RS384", .rs384),
        ("Resp-4 P-7: RS512", .rs512), ("Resp-4 P-9: ES256", .es256),
        ("Resp-4 P-10: ES384", .es384), ("Resp-4 P-11: ES512", .es512),
        ("Resp-4 P-12: Ed25519", .edDSA), ("beyond the tool: Ed25519 by its own name", .ed25519),
        ("beyond the tool: Ed448", .ed448), ("beyond the tool: ES256 by its own name", .esp256),
        ("beyond the tool: ES384 by its own name", .esp384),
        ("beyond the tool: ES512 by its own name", .esp512),
        ("beyond the tool: ML-DSA-65", .mlDSA65), ("beyond the tool: ML-DSA-87", .mlDSA87),
    ]

    @Test("Resp-4 P-1 to P-12: every algorithm signs for itself", arguments: cases)
    func accepted(_ name: String, _ algorithm: COSEAlgorithm) async throws {
        let made = try Attested.packedSelf(try TestKey.make(algorithm))
        let verified = try await made.verify().get()
        #expect(verified.algorithm == algorithm, "\(name)")
        #expect(verified.attestationType == .selfAttestation)
    }

    @Test("Every algorithm refuses a signature over something else", arguments: cases)
    func refused(_ name: String, _ algorithm: COSEAlgorithm) async throws {
        var made = try Attested.packedSelf(try TestKey.make(algorithm))
        made.ceremony.passkey.signCount = 1
        made.ceremony.authenticatorData?[36] = 1
        #expect(
            await made.refusal() == statementRefusal(.attestationSignatureInvalid), "\(name)")
    }

    @Test("Resp-4 P-8: RS1 is accepted where it is switched on, and nowhere else")
    func p8() async throws {
        var made = try Attested.packedSelf(try TestKey.make(.rs1))
        #expect(await made.refusal() == refusal(.registration, 20, .algorithmNotAllowed))
        made.ceremony.expectation.algorithms.credentialKeys = [.rs1]
        #expect(try await made.verify().get().algorithm == .rs1)
        made.ceremony.expectation.algorithms.credentialKeys = COSEAlgorithm.offeredByDefault
        #expect(await made.refusal() == refusal(.registration, 20, .algorithmNotAllowed))
    }

    @Test("A sign-in by RS1 is refused unless it is switched on")
    func signIn() throws {
        let key = try TestKey.make(.rs1)
        var ceremony = AssertionCeremony()
        ceremony.stored = StoredCredential(
            id: ceremony.passkey.credentialId, publicKey: key.cose.encoded(ordering: .ctap2),
            signCount: 4, backupEligible: true, userHandle: [7, 7])
        let data = ceremony.passkey.authenticatorData()
        ceremony.signature = try key.sign(
            data + Array(SHA256.hash(data: ceremony.clientDataJSON)))
        #expect(
            try ceremony.verify().refusal
                == refusal(.authentication, 21, .algorithmNotAllowed))
        ceremony.expectation.acceptsRS1 = true
        #expect(try ceremony.verify().refusal == nil)
    }

    @Test("Every algorithm signs in", arguments: cases)
    func signInWithEach(_ name: String, _ algorithm: COSEAlgorithm) throws {
        let key = try TestKey.make(algorithm)
        var ceremony = AssertionCeremony()
        ceremony.stored = StoredCredential(
            id: ceremony.passkey.credentialId, publicKey: key.cose.encoded(ordering: .ctap2),
            signCount: 4, backupEligible: true, userHandle: [7, 7])
        let data = ceremony.passkey.authenticatorData()
        var signature = try key.sign(data + Array(SHA256.hash(data: ceremony.clientDataJSON)))
        ceremony.signature = signature
        #expect(try ceremony.verify().refusal == nil, "\(name)")
        signature[signature.count / 2] ^= 1
        ceremony.signature = signature
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 21, .signatureInvalid))
    }
}
