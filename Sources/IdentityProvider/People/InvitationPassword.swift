// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
package import Primitives
package import Storage

/// The password that a person chooses by an ``Invitation``.
package struct InvitationPassword: CredentialRegistrationCeremony {
    let token: String
    let password: Secret

    package init(token: String, password: Secret) {
        self.token = token
        self.password = password
    }

    package var action: String { "registration.invited" }

    package struct Evidence: Sendable {
        let person: Person
        let password: Password
    }

    package func challenge(
        _ context: CeremonyContext
    ) async throws -> Result<Person, CeremonyRefusal> {
        if let declined = try await AttemptCounter(context: context).countRequest() {
            return .failure(declined)
        }
        guard let person = try await Invitation(context).person(behind: token) else {
            return .refused(.invitationInvalid, because: "no such link", isStranger: true)
        }
        return .success(person)
    }

    package func evidence(
        _ person: Person, _ context: CeremonyContext
    ) async throws -> Result<Evidence, CeremonyRefusal> {
        PasswordValidator.judge(password, for: person, in: context)
            .map { Evidence(person: person, password: $0) }
    }

    package func policy(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> CeremonyRefusal? {
        try await Invitation(context).policy(token)
    }

    package func bind(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        do {
            let credential = try await PasswordCredential.make(
                evidence.password, for: evidence.person.id, in: context,
                details: PasswordDetails(isByLink: true))
            return try await Invitation(context).bind(
                evidence.person, credential, token: token,
                factor: .password(credential.id, at: context.now))
        } catch PasswordHashingError.busy(let wait) {
            return .refused(
                .busy, because: "the hashing pool is full", retryAfter: max(1, wait.seconds))
        }
    }
}
