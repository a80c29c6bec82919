// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import JOSE
import Primitives
import ProviderSupport
import Storage
import Support
import Testing
import WebAuthn

@testable import ProviderCore
@testable import ProviderPeople

/// Windows Hello at the provider, with statements of real machines.
@Suite(.enabled(if: !WindowsHelloVector.all.isEmpty))
struct WindowsHelloTests {
    /// The registration of a new person, with the vector's challenge instead of a new one.
    private struct Recorded: CredentialRegistrationCeremony {
        let vector: WindowsHelloVector
        let steps: PasskeyRegistration

        var action: String { steps.action }

        func verify(
            _ context: CeremonyContext
        ) async throws -> Result<PasskeyRegistration.ChallengeResult, CeremonyRefusal> {
            let challenge = PasskeyChallenge(
                bytes: Base64URL.decode(vector.challenge) ?? [], memory: JSONObject(),
                expiresAt: context.now + PasskeyChallenge.lifetime)
            let application = SignUpForm(username: "anna")
            return try await application.applicant(
                application.newcomer(in: context), in: context
            ).map {
                PasskeyRegistration.ChallengeResult(
                    challenge: challenge, owner: .applicant($0, application), isConditional: false)
            }
        }

        func prove(
            _ answer: PasskeyRegistration.ChallengeResult, _ context: CeremonyContext
        ) async throws -> Result<PasskeyRegistration.Evidence, CeremonyRefusal> {
            try await steps.prove(answer, context)
        }

        func decide(
            _ evidence: PasskeyRegistration.Evidence, _ context: CeremonyContext
        ) async throws -> CeremonyRefusal? { try await steps.decide(evidence, context) }

        func commit(
            _ evidence: PasskeyRegistration.Evidence, _ context: CeremonyContext
        ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
            try await steps.commit(evidence, context)
        }
    }

    /// - Returns: What the registration of a new person came to, and the provider.
    private func register(
        _ vector: WindowsHelloVector, _ change: (inout WebAuthnPolicy) -> Void = { _ in }
    ) async throws -> (Result<RegistrationBinding, Refusal>, Provider) {
        let random = SeededRandom(seed: 11)
        let provider = try await TestProvider.empty(
            issuer: "https://\(vector.rpId)", clock: ManualClock(vector.time), random: random)
        var policy = ProjectPolicy()
        policy.webauthn.attestation = "direct"
        policy.webauthn.attestationTrust = "roots"
        policy.webauthn.trustRoots = [Base64.encode(WindowsHelloVector.root)]
        policy.webauthn.relatedOrigins = [vector.origin]
        change(&policy.webauthn)
        let project = Project(
            id: Identifier(now: vector.time, random: random), name: "default",
            environment: .development, policy: policy, createdAt: vector.time)
        _ = try await provider.store.projects.save(project)
        let context = CeremonyContext(
            provider: provider, tenant: Tenant(project: project, issuer: provider.issuer),
            facts: RequestMetadata(
                now: vector.time, requestID: "r", address: "192.0.2.1", userAgent: "test"),
            limits: AttemptLimits(), writer: PlainWriter())
        let steps = PasskeyRegistration(
            ceremony: "", response: vector.response, signedIn: nil)
        let result = try await CeremonyRunner(context).run(
            Recorded(vector: vector, steps: steps))
        return (result, provider)
    }

    @Test("A real device registers, and Microsoft's root certifies its TPM")
    func registers() async throws {
        for vector in WindowsHelloVector.all {
            let (result, provider) = try await register(vector)
            let binding = try result.get()
            let key = try #require(
                try await provider.store.credentials.credentials(of: binding.person.id).first,
                "\(vector.name)")
            #expect(PasskeyDetails(key.details).trust == .anchored, "\(vector.name)")
            #expect(Base64URL.encode(key.externalID) == vector.id)
        }
    }

    @Test("A project that accepts no SHA-1 from TPMs refuses it")
    func switchedOff() async throws {
        for vector in WindowsHelloVector.all {
            let (result, _) = try await register(vector) { $0.tpmSHA1 = false }
            #expect(result.code == .passkeyRefused, "\(vector.name)")
        }
    }

    @Test("A TPM of no named root is refused")
    func otherRoot() async throws {
        let other = Base64.encode(try AttestationAuthority().root.der)
        for vector in WindowsHelloVector.all {
            let (result, _) = try await register(vector) { $0.trustRoots = [other] }
            #expect(result.code == .keyNotAllowed, "\(vector.name)")
        }
    }

    @Test("A credential key of RS1 registers and signs in where rs1 is set, and only there")
    func rs1Key() async throws {
        var policy = ProjectPolicy()
        policy.webauthn.algorithms = ["ES256", "RS1"]
        let closed = try await PeopleHouse(policy: policy)
        policy.webauthn.rs1 = true
        let open = try await PeopleHouse(policy: policy)
        let made = try RS1CredentialKey()
        var key = try open.passkey()
        key.otherKey = (cose: try made.cose, sign: { try made.sign($0) })
        let person = try await open.register(key, open.options("anna").get()).get().person
        #expect(try await open.signIn(key, of: person).get().signedIn.person.id == person.id)
        let refused = try await closed.register(key, closed.options("anna").get())
        #expect(refused.code == .passkeyRefused)
        // A key from the time when it was set does not sign in after it was cleared.
        var project = open.project
        project.policy.webauthn.rs1 = false
        let context = open.context(of: Tenant(project: project, issuer: PeopleHouse.issuer))
        let challenge = try await PasskeyOptions.signIn(in: context).get().ceremony
        let text = try key.assertion(challenge: challenge, userHandle: person.id.bytes)
        let later = try await CeremonyRunner(context).run(
            PasskeySignIn(ceremony: challenge, response: try open.json(text)))
        #expect(later.code == .passkeyRefused)
    }

    @Test("Credential keys of RS1 need rs1, whatever TPM statements are signed with")
    func credentialKeys() {
        var policy = WebAuthnPolicy()
        policy.algorithms = ["ES256", "RS1"]
        #expect(policy.accepted.credentialKeys == [.es256])
        #expect(policy.accepted.tpmStatements.contains(.rs1))
        #expect(!policy.accepted.statements.contains(.rs1))
        policy.rs1 = true
        policy.tpmSHA1 = false
        #expect(policy.accepted.credentialKeys == [.es256, .rs1])
        #expect(!policy.accepted.tpmStatements.contains(.rs1))
    }
}
