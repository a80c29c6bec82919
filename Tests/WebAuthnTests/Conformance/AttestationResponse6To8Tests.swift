// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Testing
import WebAuthn

@Suite("Server-ServerAuthenticatorAttestationResponse-Resp-6: packed, self")
struct AttestationResponse6Tests {
    @Test("Resp-6 P-1: self attestation is accepted")
    func p1() async throws {
        let verified = try await Attested.packedSelf().verify().get()
        #expect(verified.attestationType == .selfAttestation)
        #expect(verified.trust == .none)
    }

    @Test("Resp-6 F-1: a bad signature")
    func f1() async throws {
        var made = try Attested.packedSelf()
        made.ceremony.passkey.signCount = 9
        #expect(await made.refusal() == statementRefusal(.attestationSignatureInvalid))
    }

    @Test("Resp-6 F-2: a full attestation, where metadata allow self attestation only")
    func f2() async throws {
        var made = try Attested(format: "packed")
        let model = [UInt8](1...16)
        made.ceremony.passkey.aaguid = model
        let issued = try made.authority.issue()
        try made.sign(by: issued, path: [issued.der, made.authority.intermediate.der])
        var trust = AuthenticatorTrust(
            anchors: try TrustAnchors(der: [try made.authority.root.der]))
        trust.attestationTypes = [.selfAttestation]
        let aaguid = try #require(AAGUID(model))
        made.policy.source = TestTrustSource(models: [.aaguid(aaguid): trust])
        #expect(await made.refusal() == trustRefusal(.attestationNotAcceptable))
    }

    @Test("Resp-6 F-3: an unknown fmt")
    func f3() async throws {
        var made = try Attested.packedSelf()
        made.ceremony.format = "packed-self"
        #expect(
            await made.refusal() == refusal(.registration, 21, .attestationFormatUnsupported))
    }
}

@Suite("Server-ServerAuthenticatorAttestationResponse-Resp-7: none")
struct AttestationResponse7Tests {
    @Test("Resp-7 P-1: none is accepted")
    func p1() async throws {
        let verified = try await RegistrationCeremony().verify().get()
        #expect(verified.attestationType == .none)
    }

    @Test("Resp-7 P-2: self attestation, though none was asked for, is accepted")
    func p2() async throws {
        var made = try Attested.packedSelf()
        made.policy = try AttestationPolicy(
            conveyance: .none, trustAnchors: [try made.authority.root.der])
        #expect(try await made.verify().get().attestationType == .selfAttestation)
    }

    @Test("Resp-7 F-1: a packed statement under fmt none")
    func f1() async throws {
        var made = try Attested.packed()
        made.ceremony.format = "none"
        #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
    }
}

@Suite("Server-ServerAuthenticatorAttestationResponse-Resp-8: fido-u2f")
struct AttestationResponse8Tests {
    @Test("Resp-8 P-1: a U2F attestation is accepted")
    func p1() async throws {
        let verified = try await Attested.u2f().verify().get()
        #expect(verified.format == "fido-u2f")
        #expect(verified.trust == .anchored)
    }

    @Test("Resp-8 F-1: an AAGUID that is not zero, where the policy wants zero")
    func f1() async throws {
        var made = try Attested.u2f()
        made.ceremony.passkey.aaguid[3] = 1
        // Nothing that U2F signs, and Level 3's vector has one: without the switch it passes.
        #expect(await made.refusal() == nil)
        made.policy.requiresZeroAAGUIDFromU2F = true
        #expect(await made.refusal() == statementRefusal(.attestationAAGUIDNotZero))
        made.ceremony.passkey.aaguid[3] = 0
        #expect(await made.refusal() == nil)
    }

    @Test("Resp-8 F-2: a bad signature")
    func f2() async throws {
        var made = try Attested.u2f()
        try made.signU2F(by: made.ceremony.passkey.key)
        #expect(await made.refusal() == statementRefusal(.attestationSignatureInvalid))
    }
}
