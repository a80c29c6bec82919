// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import Support
import Testing
import WebAuthn

@Suite("Server-ServerAuthenticatorAttestationResponse-Resp-9: tpm")
struct AttestationResponse9Tests {
    @Test("Resp-9 P-1: SHA-256")
    func p1() async throws {
        let verified = try await Attested.tpmRSA(attestedBy: .rs256).verify().get()
        #expect(verified.format == "tpm")
        #expect(verified.algorithm == .rs256)
        #expect(verified.trust == .anchored)
    }

    @Test("Resp-9 P-2: SHA-1, unless it is switched off")
    func p2() async throws {
        var made = try Attested.tpmRSA(attestedBy: .rs1)
        #expect(try await made.verify().get().trust == .anchored)
        made.ceremony.expectation.algorithms.tpmStatements = Set(COSEAlgorithm.withoutSHA1)
        #expect(await made.refusal() == statementRefusal(.attestationAlgorithmNotAllowed))
    }

    @Test("Resp-9 P-4: ES256")
    func p4() async throws {
        let verified = try await Attested.tpm().verify().get()
        #expect(verified.algorithm == .es256)
        #expect(verified.trust == .anchored)
    }

    @Test("Resp-9 F-1: the certificates are out of order")
    func f1() async throws {
        var made = try Attested.tpm()
        made.statement["x5c"] = .array((made.statement["x5c"]?.items ?? []).reversed())
        #expect(await made.refusal() == statementRefusal(.attestationCertificateInvalid))
    }

    @Test("Resp-9 F-2: another extraData")
    func f2() async throws {
        let made = try Attested.tpm { $0.extraData[0] ^= 1 }
        #expect(await made.refusal() == statementRefusal(.attestationChallengeMismatch))
    }

    @Test("Resp-9 F-3: another magic")
    func f3() async throws {
        let made = try Attested.tpm { $0.magic[3] = 0x48 }
        #expect(await made.refusal() == statementRefusal(.attestationTPMMagicWrong))
    }

    @Test("Resp-9 F-4: pubArea.unique is another key")
    func f4() async throws {
        let other = SoftwareAuthenticator(
            rpId: "example.org", userHandle: [], random: SeededRandom(seed: 99))
        let point = Array(other.key.publicKey.rawRepresentation)
        let made = try Attested.tpm { $0.area = Attested.TPM.point(point) }
        #expect(await made.refusal() == statementRefusal(.attestationKeyMismatch))
    }
}
