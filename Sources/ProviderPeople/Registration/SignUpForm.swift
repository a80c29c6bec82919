// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import ProviderSettings
package import Storage

/// The registration form of a new account, as typed.
package struct SignUpForm: Sendable, Equatable {
    package var username: String
    package var name: String
    package var email: String
    /// The token of the one-time set-up link, with which the first administrator registers.
    package var setUpToken: String?
    /// See ``RegistrationTicket``.
    package var ticket: String?

    package init(
        username: String, name: String = "", email: String = "", setUpToken: String? = nil,
        ticket: String? = nil
    ) {
        self.username = username
        self.name = name
        self.email = email
        self.setUpToken = setUpToken
        self.ticket = ticket
    }

    /// Validates the form and returns the new person.
    func applicant(
        _ id: Identifier<Person>, in context: CeremonyContext
    ) -> Result<Person, CeremonyRefusal> {
        guard let username = UserName.canonical(username) else {
            return .refused(.usernameInvalid, because: "user name")
        }
        // The address is not verified yet.
        guard !UserName.isLikeAddress(username) else {
            return .refused(.usernameLikeAddress, because: "user name with an @")
        }
        var claims = PersonClaims()
        if !name.isEmpty {
            guard let name = UserName.display(name) else {
                return .refused(.nameInvalid, because: "display name")
            }
            claims.name = name
        }
        if !email.isEmpty {
            guard let email = EmailAddressSyntax.canonical(email) else {
                return .refused(.emailInvalid, because: "e-mail address")
            }
            claims.email = email
            // The address is verified later; see EmailVerification.
            claims.emailVerified = false
        }
        claims.updatedAt = context.now.seconds
        return .success(
            Person(
                id: id, project: context.project, username: username, claims: claims,
                createdAt: context.now))
    }

    /// Whether the project accepts this applicant. It is checked at the start of the ceremony and
    /// again before the account is stored.
    func policy(on person: Person, in context: CeremonyContext) async throws -> CeremonyRefusal? {
        if let setUpToken {
            guard try await SetUpLink(context).isActive(setUpToken) else {
                return CeremonyRefusal(
                    UserFacingRefusal.setUpLinkInvalid.refusal(because: "set-up link"))
            }
        } else if !context.tenant.project.policy.selfRegistration {
            return CeremonyRefusal(UserFacingRefusal.registrationClosed.refusal(because: "policy"))
        }
        let other = try await context.store.people.person(
            username: person.username, in: context.project)
        guard other == nil else {
            return CeremonyRefusal(
                UserFacingRefusal.usernameTaken.refusal(because: "user name is taken"))
        }
        // The operator chooses the names of the first people with the set-up link.
        if setUpToken == nil,
            try await context.store.people.isHeld(
                name: person.username, in: context.project, now: context.now)
        {
            return CeremonyRefusal(
                UserFacingRefusal.usernameTaken.refusal(because: "username is held"))
        }
        return nil
    }

    /// Stores the person with their first credential. With a set-up link, the same transaction
    /// assigns the role and consumes the link: if the response is lost, either the account exists
    /// or the link is still valid.
    func bind(
        _ person: Person, _ credential: Credential, factor: AuthenticationFactor,
        in context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        let binding = RegistrationBinding(
            person: person, credential: credential, factor: factor, notice: nil)
        if let setUpToken {
            return try await context.welcome(
                binding, with: credential, by: setUpToken, using: use(for: person, in: context))
        }
        let made = try await context.store.people.create(
            person, with: [credential], using: use(for: person, in: context),
            nameMayBeHeld: false)
        switch made {
        case .created: return .success(binding)
        case .usernameTaken: return .refused(.usernameTaken, because: "taken in the meantime")
        case .credentialTaken: return .refused(.passkeyTaken, because: "credential id is taken")
        }
    }
}

extension CeremonyContext {
    /// Stores the person of a set-up link. The link of the home project makes them an owner.
    fileprivate func welcome(
        _ binding: RegistrationBinding, with credential: Credential, by token: String,
        using use: OneTimeUse?
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        guard let link = try await SetUpLink(self).activeChallenge(token) else {
            return .refused(.setUpLinkInvalid, because: "setup link was consumed in the meantime")
        }
        var person = binding.person
        person.claims.groups = [Administrators.group]
        var owner: (role: Administrator, draft: AuditEventDraft)?
        if tenant.project.name == AdministratorRoles.homeProject {
            owner = AdministratorRoles(provider, home: project, facts: facts).owner(person)
        }
        switch try await store.oneTimeLinks.create(
            person, with: [credential], as: owner?.role, spending: link, using: use, now: now,
            recording: owner.map { [provider.audit.prepare($0.draft)] } ?? [])
        {
        case .spent:
            if let owner { provider.audit.wasRecorded(owner.draft) }
            return .success(
                RegistrationBinding(
                    person: person, credential: credential, factor: binding.factor, notice: nil))
        case .linkGone:
            return .refused(.setUpLinkInvalid, because: "setup link was consumed in the meantime")
        case .usernameTaken: return .refused(.usernameTaken, because: "taken in the meantime")
        case .credentialTaken: return .refused(.passkeyTaken, because: "credential id is taken")
        }
    }
}

/// The group of people who can read the project's audit log.
package enum Administrators {
    package static let group = "administrators"

    package static func include(_ person: Person) -> Bool {
        person.claims.groups?.contains(group) ?? false
    }
}
