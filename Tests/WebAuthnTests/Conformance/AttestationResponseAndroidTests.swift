// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import JOSE
import Testing
import WebAuthn
import X509

@Suite("Server-ServerAuthenticatorAttestationResponse-Resp-A: android-key")
struct AttestationResponseATests {
    @Test("Resp-A P-1: an Android key attestation is accepted")
    func p1() async throws {
        let verified = try await Attested.androidKey().verify().get()
        #expect(verified.format == "android-key")
        #expect(verified.trust == .anchored)
    }

    @Test("A passkey of ML-DSA that Android's key store certifies is anchored where it is accepted")
    func mlDSA() async throws {
        var made = try Attested.androidKeyOfMLDSA()
        let verified = try await made.verify().get()
        #expect(verified.format == "android-key")
        #expect(verified.trust == .anchored)
        try made.signBySelf(try TestKey.make(.mlDSA65))
        #expect(await made.refusal() == statementRefusal(.attestationSignatureInvalid))
        made.ceremony.expectation.algorithms.credentialKeys = [.es256]
        #expect(await made.refusal() != nil)
    }

    @Test("Resp-A F-1: another challenge hash in the certificate")
    func f1() async throws {
        let made = try Attested.androidKey { $0.challenge[0] ^= 1 }
        #expect(await made.refusal() == statementRefusal(.attestationChallengeMismatch))
    }

    @Test("Resp-A F-2: the certificate is of another key, which signs")
    func f2() async throws {
        let other = P256.Signing.PrivateKey()
        var made = try Attested.androidKey(of: .init(other.publicKey))
        made.statement["sig"] = .byteString(
            try other.signature(for: made.message).derRepresentation)
        #expect(await made.refusal() == statementRefusal(.attestationKeyMismatch))
    }

    @Test("Resp-A F-3: the certificates are out of order")
    func f3() async throws {
        var made = try Attested.androidKey()
        made.statement["x5c"] = .array((made.statement["x5c"]?.items ?? []).reversed())
        #expect(await made.refusal() == statementRefusal(.attestationCertificateInvalid))
    }
}

@Suite("Server-ServerAuthenticatorAttestationResponse-Resp-B: android-safetynet")
struct AttestationResponseBTests {
    @Test("Resp-B P-1: a SafetyNet attestation is accepted")
    func p1() async throws {
        let verified = try await Attested.safetyNet().verify().get()
        #expect(verified.format == "android-safetynet")
        #expect(verified.trust == .anchored)
    }

    @Test("Resp-B F-1: ver is empty")
    func f1() async throws {
        var made = try Attested.safetyNet()
        made.statement["ver"] = .text("")
        #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
    }

    @Test("Resp-B F-2: response is empty")
    func f2() async throws {
        var made = try Attested.safetyNet()
        made.statement["response"] = .byteString([])
        #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
    }

    @Test("Resp-B F-3: another nonce")
    func f3() async throws {
        let made = try Attested.safetyNet { $0.nonce[0] ^= 1 }
        #expect(await made.refusal() == statementRefusal(.attestationChallengeMismatch))
    }

    @Test("Resp-B F-4: x5c is empty")
    func f4() async throws {
        let made = try Attested.safetyNet { $0.certificates = [] }
        #expect(await made.refusal() == statementRefusal(.attestationResponseMalformed))
    }

    @Test("Resp-B F-5: ctsProfileMatch is false")
    func f5() async throws {
        let made = try Attested.safetyNet { $0.isGenuine = false }
        #expect(await made.refusal() == statementRefusal(.attestationDeviceNotGenuine))
    }

    @Test("Resp-B F-6: from the future")
    func f6() async throws {
        let made = try Attested.safetyNet { $0.milliseconds += 5000 + 11_000 }
        #expect(await made.refusal() == statementRefusal(.attestationTimestampInvalid))
    }

    @Test("Resp-B F-7: older than a minute")
    func f7() async throws {
        let made = try Attested.safetyNet { $0.milliseconds -= 55_001 }
        #expect(await made.refusal() == statementRefusal(.attestationTimestampInvalid))
    }
}
