// SPDX-License-Identifier: Apache-2.0
package import PasswordHashing
package import Primitives
import Storage

/// A first or another password for somebody who is signed in.
///
/// Asks for the current one, or for a factor shown in the last five minutes. Every other session
/// and every grant of the person ends with it.
package struct PasswordChange: RegistrationSteps {
    let signedIn: SignedIn
    let current: Secret?
    let new: Secret

    package init(signedIn: SignedIn, current: Secret?, new: Secret) {
        self.signedIn = signedIn
        self.current = current
        self.new = new
    }

    package var action: String { "credential.password.set" }

    package func challenge(
        _ context: CeremonyContext
    ) async throws -> Result<PasswordCredential?, Declined> {
        let person = signedIn.person
        if current != nil,
            let declined = try await AttemptCounter(context: context).count(
                account: person.username)
        {
            return .failure(Declined(declined.refusal, person: person.id))
        }
        return .success(try await PasswordCredential.of(person.id, in: context))
    }

    package func evidence(
        _ stored: PasswordCredential?, _ context: CeremonyContext
    ) async throws -> Result<Password, Declined> {
        if let declined = try await authorise(stored, context) { return .failure(declined) }
        return PasswordRules.judge(new, for: signedIn.person, in: context)
    }

    private func authorise(
        _ stored: PasswordCredential?, _ context: CeremonyContext
    ) async throws -> Declined? {
        let person = signedIn.person
        if let current, let stored {
            guard let password = Password(current),
                try await context.provider.passwords.verify(password, against: stored.phc)
            else {
                return Declined(
                    PeopleRefusal.passwordWrong.refusal(because: "current password"),
                    person: person.id)
            }
            try await AttemptCounter(context: context).clear(account: person.username)
            return nil
        }
        guard signedIn.isFresh(at: context.now) else {
            return Declined(
                PeopleRefusal.freshSignInNeeded.refusal(because: "no fresh factor"),
                person: person.id)
        }
        return nil
    }

    package func policy(_ password: Password, _ context: CeremonyContext) async throws -> Declined?
    {
        // Nobody can type the name that another provider gave them: a password would open nothing.
        signedIn.person.realm.isEmpty
            ? nil
            : Declined(
                PeopleRefusal.notAllowed.refusal(because: "a person of another provider"),
                person: signedIn.person.id)
    }

    package func bind(
        _ password: Password, _ context: CeremonyContext
    ) async throws -> Result<Binding, Declined> {
        let person = signedIn.person
        let credential = try await PasswordCredential.make(password, for: person.id, in: context)
        try await context.store.setPassword(
            credential, keeping: signedIn.session.id, now: context.now)
        return .success(
            Binding(
                person: person, credential: credential,
                factor: .password(credential.id, at: context.now),
                notice: .passwordChanged))
    }
}
