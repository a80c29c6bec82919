// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

/// What somebody without an account fills in to get one, as typed.
package struct AccountApplication: Sendable, Equatable {
    package var username: String
    package var name: String
    package var email: String
    /// The token of the one-time set-up link, through which the first administrator comes.
    package var setUpToken: String?

    package init(
        username: String, name: String = "", email: String = "", setUpToken: String? = nil
    ) {
        self.username = username
        self.name = name
        self.email = email
        self.setUpToken = setUpToken
    }

    /// The person that this would be, if everything typed is in order.
    func applicant(
        _ id: Identifier<Person>, in context: CeremonyContext
    ) -> Result<Person, Declined> {
        guard let username = UserName.canonical(username) else {
            return .refused(.usernameInvalid, because: "user name")
        }
        var claims = PersonClaims()
        if !name.isEmpty {
            guard let name = UserName.display(name) else {
                return .refused(.nameInvalid, because: "display name")
            }
            claims.name = name
        }
        if !email.isEmpty {
            guard let email = EmailAddress.canonical(email) else {
                return .refused(.emailInvalid, because: "e-mail address")
            }
            claims.email = email
            // Nobody's word but that of the mailbox: see EmailVerification.
            claims.emailVerified = false
        }
        claims.updatedAt = context.now.seconds
        return .success(
            Person(
                id: id, project: context.project, username: username, claims: claims,
                createdAt: context.now))
    }

    /// Whether the project takes this applicant. Asked when the ceremony starts and again before
    /// anything is stored.
    func policy(on person: Person, in context: CeremonyContext) async throws -> Declined? {
        if let setUpToken {
            guard try await SetUpLink(context).isLiving(setUpToken) else {
                return Declined(PeopleRefusal.setUpLinkInvalid.refusal(because: "set-up link"))
            }
        } else if !context.tenant.project.policy.selfRegistration {
            return Declined(PeopleRefusal.registrationClosed.refusal(because: "policy"))
        }
        let other = try await context.store.person(
            username: person.username, in: context.project)
        guard other == nil else {
            return Declined(PeopleRefusal.usernameTaken.refusal(because: "user name is taken"))
        }
        return nil
    }

    /// Stores the person with their first credential, and uses up the set-up link.
    func bind(
        _ person: Person, _ credential: Credential, factor: AuthenticationFactor,
        in context: CeremonyContext
    ) async throws -> Result<Binding, Declined> {
        var person = person
        if let setUpToken {
            guard try await SetUpLink(context).consume(setUpToken) else {
                return .refused(.setUpLinkInvalid, because: "set-up link was used meanwhile")
            }
            person.claims.groups = [Administrators.group]
        }
        switch try await context.store.create(person, with: [credential]) {
        case .created:
            if setUpToken != nil { try await context.welcomeOwner(person) }
            return .success(
                Binding(person: person, credential: credential, factor: factor, notice: nil))
        case .usernameTaken: return .refused(.usernameTaken, because: "taken meanwhile")
        case .credentialTaken: return .refused(.passkeyTaken, because: "credential id is taken")
        }
    }
}

extension CeremonyContext {
    /// Whoever comes through the set-up link of the home project owns the console.
    fileprivate func welcomeOwner(_ person: Person) async throws {
        guard tenant.project.name == AdministratorRoles.homeProject else { return }
        _ = try await AdministratorRoles(provider, home: project, facts: facts)
            .grant(.owner, to: person, in: nil)
    }
}

/// People who see the project's audit trail.
package enum Administrators {
    package static let group = "administrators"

    package static func include(_ person: Person) -> Bool {
        person.claims.groups?.contains(group) ?? false
    }
}
