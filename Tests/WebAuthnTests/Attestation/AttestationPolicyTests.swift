// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Testing
import WebAuthn

/// Steps 7.1.23 and 7.1.24: what a relying party makes of a correct statement.
@Suite struct AttestationPolicyTests {
    private static let model = [UInt8](1...16)

    private static func known() throws -> (Attested, AAGUID) {
        var made = try Attested(format: "packed")
        made.ceremony.passkey.aaguid = model
        let issued = try made.authority.issue()
        try made.sign(by: issued, path: [issued.der, made.authority.intermediate.der])
        return (made, try #require(AAGUID(model)))
    }

    @Test("Who asks for direct attestation and names anchors accepts neither none nor self")
    func anchorsMeant() throws {
        let root = try AttestationAuthority().root.der
        for conveyance in AttestationConveyance.allCases {
            let demands = conveyance == .direct || conveyance == .enterprise
            let policy = try AttestationPolicy(conveyance: conveyance, trustAnchors: [root])
            #expect(policy.acceptsNone == !demands)
            #expect(policy.acceptsSelf == !demands)
            let open = try AttestationPolicy(conveyance: conveyance)
            #expect(open.acceptsNone && open.acceptsSelf)
        }
        let both = try AttestationPolicy(
            conveyance: .direct, trustAnchors: [root], acceptsNone: true, acceptsSelf: true)
        #expect(both.acceptsNone && both.acceptsSelf)
    }

    @Test("A denied model is refused, whatever its attestation")
    func denied() async throws {
        var (made, aaguid) = try Self.known()
        made.policy.deniedModels = [aaguid]
        #expect(await made.refusal() == trustRefusal(.attestationModelNotAllowed))
        var ceremony = RegistrationCeremony()
        ceremony.passkey.aaguid = Self.model
        ceremony.expectation.attestation.deniedModels = [aaguid]
        #expect(
            await ceremony.verify().refusal == trustRefusal(.attestationModelNotAllowed))
    }

    @Test("A list of models accepts only its members, anchored")
    func allowed() async throws {
        var (made, aaguid) = try Self.known()
        made.policy.allowedModels = [aaguid]
        #expect(await made.refusal() == nil)
        made.policy.allowedModels = []
        #expect(await made.refusal() == trustRefusal(.attestationModelNotAllowed))
        made.policy = .unassessed
        made.policy.allowedModels = [aaguid]
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
        var ceremony = RegistrationCeremony()
        ceremony.passkey.aaguid = Self.model
        ceremony.expectation.attestation.allowedModels = [aaguid]
        #expect(await ceremony.verify().refusal == trustRefusal(.attestationUntrusted))
    }

    @Test("Metadata without an anchor give no trust; an unknown model is evaluated without them")
    func source() async throws {
        var (made, aaguid) = try Self.known()
        made.policy = .unassessed
        made.policy.source = TestTrustSource(models: [:])
        #expect(try await made.verify().get().trust == .unanchored)
        made.policy.acceptsUnanchored = false
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
        made.policy = .unassessed
        made.policy.source = TestTrustSource(models: [
            .aaguid(aaguid): AuthenticatorTrust(anchors: .none)
        ])
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
    }

    @Test("A model that metadata refuse is refused without attestation too")
    func revoked() async throws {
        let aaguid = try #require(AAGUID(Self.model))
        var trust = AuthenticatorTrust(anchors: .none)
        var ceremony = RegistrationCeremony()
        ceremony.passkey.aaguid = Self.model
        ceremony.expectation.attestation.source = TestTrustSource(models: [.aaguid(aaguid): trust])
        #expect(await ceremony.verify().refusal == nil)
        trust.refusal = "USER_KEY_REMOTE_COMPROMISE since 2026-01-01"
        ceremony.expectation.attestation.source = TestTrustSource(models: [.aaguid(aaguid): trust])
        #expect(
            await ceremony.verify().refusal == trustRefusal(.attestationModelNotAllowed))
    }

    @Test("An intermediate that is the anchor ends the path")
    func intermediateAnchor() async throws {
        var (made, _) = try Self.known()
        try made.trust([try made.authority.intermediate.der])
        #expect(try await made.verify().get().trust == .anchored)
    }
}
