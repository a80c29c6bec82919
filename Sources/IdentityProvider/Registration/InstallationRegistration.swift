// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
import Crypto
import JOSE
import Primitives
import Storage

/// Registers an app installation, and with it a person. What is evidence is the method's; the
/// phases are everybody's.
package struct InstallationRegistration: RegistrationSteps {
    private let request: RegistrationRequest

    package init(_ request: RegistrationRequest) { self.request = request }

    /// Whether the project lets installations register by that method.
    package static func isOffered(_ method: RegistrationMethod, in tenant: Tenant) -> Bool {
        RegistrationMethods.evidence(method) != nil
            && tenant.project.policy.registration.methods.contains(method.rawValue)
    }

    /// Takes the request through the pipeline.
    package static func run(
        _ request: RegistrationRequest, in context: CeremonyContext
    ) async throws -> Result<Registered, Refusal> {
        let outcome = try await RegistrationPipeline(context).run(InstallationRegistration(request))
        return outcome.flatMap { binding in
            guard let installation = binding.installation else {
                return .failure(
                    RegistrationCode.malformedInput.refusal(because: "nothing was registered"))
            }
            return .success(Registered(binding.person, installation, binding.recording))
        }
    }

    /// What was registered, now or before.
    package struct Registered: Sendable {
        package let answer: RegistrationAnswer
        package let isNew: Bool

        init(
            _ person: Person, _ installation: Installation, _ recording: EventRecording
        ) {
            let details = try? JSONParser.parseObject(
                Array(installation.details.utf8), maximumBytes: 65_536)
            answer = RegistrationAnswer(
                method: RegistrationMethod(rawValue: installation.method),
                registrationID: Identifier<Installation>(bytes: installation.registrationID)?
                    .description ?? "",
                userID: person.id.description, username: person.username,
                installationID: installation.id.description,
                keyID: details?["key_id"]?.string, registeredAt: installation.createdAt)
            isNew = recording == .done
        }
    }

    /// One of a closed set: a stranger's word is no action.
    package var action: String {
        let known = RegistrationMethods.evidence(request.method) != nil
        return "registration.\(known ? request.method.rawValue : "unknown")"
    }

    package struct Answer: Sendable {
        let claim: RegistrationClaim
        let method: any RegistrationEvidence
    }

    package struct Evidence: Sendable {
        let claim: RegistrationClaim
        let method: any RegistrationEvidence
        let vouched: VouchedRegistration
    }

    // 1. The method is offered, the nonce is ours, and the key has signed for it.
    package func challenge(_ context: CeremonyContext) async throws -> Result<Answer, Declined> {
        guard let method = RegistrationMethods.evidence(request.method),
            Self.isOffered(request.method, in: context.tenant)
        else { return .declined(.methodNotSupported, because: "not offered", stranger: true) }
        let nonces = ServerNonce(
            for: .registration(request.method), of: context.tenant, in: context.provider,
            now: context.now)
        guard let nonce = nonces.check(request.nonce) else {
            return .declined(.challengeRefused, because: "not our nonce", stranger: true)
        }
        guard let sent = request.key else {
            guard !method.needsKey else {
                return .declined(
                    .missingInput, "public_key is missing.", because: "no key", stranger: true)
            }
            let claim = RegistrationClaim(request: request, nonce: nonce, key: nil, binding: nil)
            return .success(Answer(claim: claim, method: method))
        }
        return prove(sent, nonce).map { Answer(claim: $0, method: method) }
    }

    private func prove(
        _ sent: JSONValue, _ nonce: ServerNonce.Genuine
    ) -> Result<RegistrationClaim, Declined> {
        let key: InstallationKey
        do throws(JOSEError) {
            key = try InstallationKey(sent)
        } catch {
            return .declined(
                .malformedInput,
                "public_key must be a P-256 or RSA key (2048 bits and more): a JWK, or base64 of "
                    + "its DER.", because: "key: \(error)", stranger: true)
        }
        let binding = KeyBinding(nonce: nonce.text, key: key)
        guard let proof = request.keyProof else {
            return .declined(
                .missingInput, "key_proof is missing.", because: "no proof", stranger: true)
        }
        guard binding.isProven(by: proof) else {
            return .declined(.keyProofRefused, because: "wrong proof", stranger: true)
        }
        return .success(
            RegistrationClaim(request: request, nonce: nonce, key: key, binding: binding))
    }

    // 2. The method's own work.
    package func evidence(
        _ answer: Answer, _ context: CeremonyContext
    ) async throws -> Result<Evidence, Declined> {
        try await answer.method.verify(answer.claim, context).map {
            Evidence(claim: answer.claim, method: answer.method, vouched: $0)
        }
    }

    // 3.
    package func policy(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Declined? {
        if let declined = try await evidence.method.policy(evidence.vouched, context) {
            return declined
        }
        guard let set = evidence.vouched.entitlementSet,
            try await context.store.entitlementSet(named: set, in: context.project) == nil
        else { return nil }
        return Declined(
            .tokenRefused, "There is no entitlement set of that name.", because: "unknown set")
    }

    // 4. Person, credentials, installation, nonce, token and audit event: one commit.
    package func bind(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Result<Binding, Declined> {
        let new = RegistrationRecords(evidence, in: context)
        let event = context.provider.audit.prepare(
            AuditDraft(
                action, in: context.project, facts: context.facts, person: new.person.id,
                details: (["installation": .string(new.installation.id.description)] as JSONValue)
                    .text))
        let registration = NewRegistration(
            installation: new.installation, person: new.person, credentials: new.credentials,
            uses: [evidence.claim.nonce.use] + evidence.vouched.uses)
        switch try await context.store.register(registration, recording: event) {
        case .registered:
            return .success(new.binding(recording: .done))
        case .repeated(let installation, let person):
            return .success(
                new.binding(installation, person, recording: .ofEarlierCeremony))
        case .registrationTaken:
            return .declined(.registrationIDTaken, because: "other key or method under that id")
        case .used(.nonce):
            return .declined(.challengeRefused, because: "the nonce was used")
        case .used:
            return .declined(.tokenUsed, because: "the token was used")
        case .credentialTaken(.signInKey):
            return .declined(.keyTaken, because: "the key is registered")
        case .credentialTaken, .usernameTaken:
            return .declined(.alreadyRegistered, because: "the person is registered")
        }
    }
}
