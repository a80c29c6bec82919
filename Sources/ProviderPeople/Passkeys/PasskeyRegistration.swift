// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import ProviderCore
import Storage
import WebAuthn

/// The registration of a passkey, for a new account or as a further credential.
package struct PasskeyRegistration: CredentialRegistrationCeremony {
    let ceremony: String
    let response: JSONValue
    /// The authenticated person; `nil` for a new account.
    let member: AuthenticatedPerson?
    /// The label of the key; `nil` for a description of the browser.
    let label: String?
    /// Whether it began with a link of an administrator.
    let isAgain: Bool
    /// Whether that link is an invitation.
    let isInvited: Bool

    package init(
        ceremony: String, response: JSONValue, signedIn: AuthenticatedSession?,
        isAgain: Bool = false,
        isInvited: Bool = false
    ) {
        self.isInvited = isInvited
        self.ceremony = ceremony
        self.response = response
        member = signedIn?.shown
        label = nil
        self.isAgain = isAgain
    }

    /// A registration for a person who is authenticated by an access token of an app.
    ///
    /// - Parameter label: The device name that the app reports.
    package init(ceremony: String, response: JSONValue, member: AuthenticatedPerson, label: String?)
    {
        self.ceremony = ceremony
        self.response = response
        self.member = member
        self.label = label
        isAgain = false
        isInvited = false
    }

    package var action: String {
        if isInvited { return "registration.invited" }
        if isAgain { return "credential.passkey.re-registered" }
        return member == nil ? "registration.passkey" : "credential.passkey.added"
    }

    package struct ChallengeResult: Sendable {
        let challenge: PasskeyChallenge
        let owner: Owner
        let isConditional: Bool
    }

    package struct Evidence: Sendable {
        let registration: VerifiedRegistration
        let owner: Owner
    }

    enum Owner: Sendable {
        case applicant(Person, SignUpForm)
        case member(Person)
        /// A person with a link of an administrator, and its token.
        case returning(Person, token: String)

        var person: Person {
            switch self {
            case .applicant(let person, _), .member(let person), .returning(let person, _): person
            }
        }
    }

    package func verify(
        _ context: CeremonyContext
    ) async throws -> Result<ChallengeResult, CeremonyRefusal> {
        try await PasskeyChallenge.open(ceremony, .passkeyRegistration, in: context)
            .continued { challenge in
                guard let memory = RegistrationState(challenge.memory) else {
                    return .refused(
                        .ceremonyExpired, because: "no person in the challenge", isStranger: true)
                }
                return try await owner(memory, context).map {
                    ChallengeResult(
                        challenge: challenge, owner: $0, isConditional: memory.isConditional)
                }
            }
    }

    /// The person for whose account the ceremony began. A further credential requires the person
    /// who began the ceremony, also if another person is signed in now.
    private func owner(
        _ memory: RegistrationState, _ context: CeremonyContext
    ) async throws -> Result<Owner, CeremonyRefusal> {
        let id = memory.person
        switch memory.flow {
        case .add:
            guard let member, member.person.id == id else {
                return .refused(
                    .signInNeeded, because: "started by another person", person: id,
                    isStranger: member == nil)
            }
            return .success(.member(member.person))
        case .again(let token):
            guard isAgain, let person = try await context.store.people.person(id) else {
                return .refused(
                    .reRegistrationInvalid, because: "the person does not exist", isStranger: true)
            }
            return .success(.returning(person, token: token))
        case .new(let application):
            guard member == nil else {
                return .refused(.ceremonyExpired, because: "signed in since the ceremony began")
            }
            return application.applicant(id, in: context).map { .applicant($0, application) }
        }
    }

    package func prove(
        _ answer: ChallengeResult, _ context: CeremonyContext
    ) async throws -> Result<Evidence, CeremonyRefusal> {
        let claimed: UnverifiedRegistration
        do throws(WebAuthnRefusal) {
            claimed = try UnverifiedRegistration(json: response)
        } catch { return refused(error, answer) }
        let outcome = await context.relyingParty.verify(
            registration: claimed,
            expecting: RegistrationExpectation(
                challenge: answer.challenge.bytes, userVerification: context.keyPolicy.verification,
                algorithms: context.keyPolicy.accepted, isConditional: answer.isConditional,
                attestation: try context.keyPolicy.attestationPolicy(
                    await context.provider.metadata?.snapshot()),
                backup: context.keyPolicy.backup, extensions: WebAuthnPolicy.extensions,
                now: context.now))
        switch outcome {
        case .success(let registration):
            if let declined = try await answer.challenge.use(in: context) {
                return .failure(declined)
            }
            return .success(Evidence(registration: registration, owner: answer.owner))
        case .failure(let refusal): return refused(refusal, answer)
        }
    }

    private func refused(
        _ refusal: WebAuthnRefusal, _ answer: ChallengeResult
    ) -> Result<Evidence, CeremonyRefusal> {
        let isUnwelcome = [
            .attestationNotAcceptable, .attestationUntrusted, .attestationModelNotAllowed,
            .backupEligibilityNotAllowed,
        ]
        .contains(refusal.code)
        let code: UserFacingRefusal = isUnwelcome ? .keyNotAllowed : .passkeyRefused
        guard case .applicant = answer.owner else {
            return .refused(code, because: "\(refusal)", person: answer.owner.person.id)
        }
        return .refused(code, because: "\(refusal)", isStranger: true)
    }

    package func decide(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> CeremonyRefusal? {
        switch evidence.owner {
        case .applicant(let person, let application):
            return try await application.policy(on: person, in: context)
        case .returning(_, let token):
            return try await oneTimeLink(token, in: context).policy(token)
        case .member(let person):
            // The challenge was issued at most ten minutes ago.
            let begun = context.now - PasskeyChallenge.lifetime
            guard let member, member.isFresh(at: begun) else {
                return CeremonyRefusal(
                    UserFacingRefusal.freshSignInNeeded.refusal(because: "not fresh"),
                    person: person.id)
            }
            return nil
        }
    }

    package func commit(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        var credential = credential(evidence, context)
        let factor = factor(credential, evidence, context)
        switch evidence.owner {
        case .applicant(let person, let application):
            return try await application.bind(person, credential, factor: factor, in: context)
        case .returning(let person, let token):
            return try await oneTimeLink(token, in: context).bind(
                person, credential, token: token, factor: factor)
        case .member(let person):
            let approvals = AwaitedApprovals(context)
            credential.awaitsApproval = try await approvals.isNeeded(
                for: credential, in: member?.session)
            guard try await context.store.credentials.add(credential) else {
                return .refused(.passkeyTaken, because: "credential id is taken", person: person.id)
            }
            try await approvals.announce(credential, of: person)
            return .success(
                RegistrationBinding(
                    person: person, credential: credential, factor: factor,
                    notice: .passkeyAdded(label: credential.label)))
        }
    }

    private func credential(_ evidence: Evidence, _ context: CeremonyContext) -> Credential {
        let registration = evidence.registration
        return Credential(
            id: context.newIdentifier(), project: context.project,
            person: evidence.owner.person.id, kind: .publicKey,
            externalID: registration.credentialId, publicPart: registration.publicKey,
            details: PasskeyDetails(registration).json,
            label: label ?? UserAgentDescription.describe(userAgent: context.facts.userAgent),
            assurance: registration.assurance.rawValue, signCount: Int64(registration.signCount),
            createdAt: context.now)
    }

    private func factor(
        _ credential: Credential, _ evidence: Evidence, _ context: CeremonyContext
    ) -> AuthenticationFactor {
        let registration = evidence.registration
        return .key(
            credential.id, registration.facts,
            flags: (registration.flags.contains(.userPresent), registration.isUserVerified),
            trusting: context.keyPolicy.evidence, at: context.now)
    }
}
