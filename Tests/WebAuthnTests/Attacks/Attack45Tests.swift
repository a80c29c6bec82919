// SPDX-License-Identifier: Apache-2.0
import CBOR
import Testing
import WebAuthn

/// What rests on SHA-1 is accepted in TPM statements alone.
@Suite("Attack 45: SHA-1 elsewhere than in a TPM's statement")
struct Attack45Tests {
    @Test("Attack 45: a credential key of RS1 where TPM statements by RS1 are accepted")
    func credentialKey() async throws {
        let made = try Attested.packedSelf(try TestKey.make(.rs1))
        #expect(made.ceremony.expectation.algorithms.tpmStatements.contains(.rs1))
        #expect(await made.refusal() == refusal(.registration, 20, .algorithmNotAllowed))
    }

    @Test("Attack 45: packed, Android and SafetyNet statements by RS1 where TPMs' are accepted")
    func otherFormats() async throws {
        var packed = try Attested.packed()
        packed.statement["alg"] = .integer(-65535)
        #expect(await packed.refusal() == statementRefusal(.attestationAlgorithmNotAllowed))
        var android = try Attested.androidKey()
        android.statement["alg"] = .integer(-65535)
        #expect(await android.refusal() == statementRefusal(.attestationAlgorithmNotAllowed))
    }

    @Test("Attack 45: a TPM statement by RS1 whose signature is of something else")
    func tpm() async throws {
        var made = try Attested.tpmRSA(attestedBy: .rs1)
        var signature = made.statement["sig"]?.byteString.map { Array($0) } ?? []
        signature[9] ^= 1
        made.statement["sig"] = .byteString(signature)
        #expect(await made.refusal() == statementRefusal(.attestationSignatureInvalid))
    }

    @Test("Attack 45: a TPM statement by RS1 under the name of RS256")
    func renamed() async throws {
        var made = try Attested.tpmRSA(attestedBy: .rs1)
        made.statement["alg"] = .integer(-257)
        #expect(await made.refusal() == statementRefusal(.attestationChallengeMismatch))
    }
}
