// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
package import Primitives
package import ProviderCore
package import Storage

/// The first password of a person: for a new account, or with an ``Invitation``.
package struct PasswordRegistration: CredentialRegistrationCeremony {
    private enum Origin: Sendable {
        case application(SignUpForm)
        case invitation(token: String)
    }

    private let origin: Origin
    private let password: Secret

    package init(application: SignUpForm, password: Secret) {
        origin = .application(application)
        self.password = password
    }

    package init(invitation token: String, password: Secret) {
        origin = .invitation(token: token)
        self.password = password
    }

    package var action: String {
        switch origin {
        case .application: "registration.password"
        case .invitation: Invitation.kind.action
        }
    }

    package struct Evidence: Sendable {
        let person: Person
        let password: Password
    }

    package func consume(
        _ message: Void, _ context: CeremonyContext
    ) async throws -> Result<Identifier<Person>, CeremonyRefusal> {
        if let declined = try await AttemptCounter(context: context).countRequest() {
            return .failure(declined)
        }
        switch origin {
        case .application(let application):
            return .success(try await application.newcomer(in: context))
        case .invitation(let token): return try await invited(token, context).map(\.id)
        }
    }

    private func invited(
        _ token: String, _ context: CeremonyContext
    ) async throws -> Result<Person, CeremonyRefusal> {
        guard let person = try await Invitation(context).person(behind: token) else {
            return .refused(.invitationInvalid, because: "no such link", isStranger: true)
        }
        return .success(person)
    }

    package func prove(
        _ id: Identifier<Person>, _ context: CeremonyContext
    ) async throws -> Result<Evidence, CeremonyRefusal> {
        let person =
            switch origin {
            case .application(let application): application.applicant(id, in: context)
            case .invitation(let token): try await invited(token, context)
            }
        return person.flatMap { person in
            PasswordValidator.validate(password, for: person, in: context)
                .map { Evidence(person: person, password: $0) }
        }
    }

    package func decide(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> CeremonyRefusal? {
        switch origin {
        case .application(let application):
            try await application.policy(on: evidence.person, in: context)
        case .invitation(let token): try await Invitation(context).policy(token)
        }
    }

    package func commit(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        do {
            let credential = try await PasswordCredential.make(
                evidence.password, for: evidence.person.id, in: context,
                details: PasswordDetails(isByLink: isByLink))
            let factor = AuthenticationFactor.password(credential.id, at: context.now)
            switch origin {
            case .application(let application):
                return try await application.bind(
                    evidence.person, credential, factor: factor, in: context)
            case .invitation(let token):
                return try await Invitation(context).bind(
                    evidence.person, credential, token: token, factor: factor)
            }
        } catch PasswordHashingError.busy(let wait) {
            return .refused(
                .busy, because: "the hashing pool is full", retryAfter: max(1, wait.seconds))
        }
    }

    private var isByLink: Bool {
        switch origin {
        case .application(let application): application.setUpToken != nil
        case .invitation: true
        }
    }
}
