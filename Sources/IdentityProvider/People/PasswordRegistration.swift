// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
package import Primitives
package import Storage

/// A new account with a password.
package struct PasswordRegistration: CredentialRegistrationCeremony {
    let application: SignUpForm
    let password: Secret

    package init(application: SignUpForm, password: Secret) {
        self.application = application
        self.password = password
    }

    package var action: String { "registration.password" }

    package struct Evidence: Sendable {
        let person: Person
        let password: Password
    }

    package func challenge(
        _ context: CeremonyContext
    ) async throws -> Result<Identifier<Person>, CeremonyRefusal> {
        if let declined = try await AttemptCounter(context: context).countRequest() {
            return .failure(declined)
        }
        return .success(try await application.newcomer(in: context))
    }

    package func evidence(
        _ id: Identifier<Person>, _ context: CeremonyContext
    ) async throws -> Result<Evidence, CeremonyRefusal> {
        application.applicant(id, in: context).flatMap { person in
            PasswordValidator.judge(password, for: person, in: context)
                .map { Evidence(person: person, password: $0) }
        }
    }

    package func policy(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> CeremonyRefusal? {
        try await application.policy(on: evidence.person, in: context)
    }

    package func bind(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        do {
            let credential = try await PasswordCredential.make(
                evidence.password, for: evidence.person.id, in: context,
                details: PasswordDetails(isByLink: application.setUpToken != nil))
            return try await application.bind(
                evidence.person, credential,
                factor: .password(credential.id, at: context.now), in: context)
        } catch PasswordHashingError.busy(let wait) {
            return .refused(
                .busy, because: "the hashing pool is full", retryAfter: max(1, wait.seconds))
        }
    }
}
