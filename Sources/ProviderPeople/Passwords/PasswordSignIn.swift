// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
package import Primitives
package import ProviderCore
import ProviderSettings
package import Storage

/// A sign-in with username and password. The response and its time are the same for unknown people.
package struct PasswordSignIn: SignInCeremony {
    let username: String
    let password: Secret
    package let replacing: Session?

    package init(username: String, password: Secret, replacing: Session? = nil) {
        self.username = username
        self.password = password
        self.replacing = replacing
    }

    package var action: String { "sign-in.password" }

    package struct Guess: Sendable {
        let username: String?
        let password: Password?
    }

    /// A verified password with its person.
    private struct Right: Sendable {
        let person: Person
        let stored: PasswordCredential
    }

    package func verify(
        _ context: CeremonyContext
    ) async throws -> Result<Guess, CeremonyRefusal> {
        .success(Guess(username: UserName.canonical(username), password: Password(password)))
    }

    package func prove(
        _ guess: Guess, _ context: CeremonyContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal> {
        // A text that cannot be a password is verified too, so that it takes the same time.
        guard let password = guess.password ?? Password("-") else {
            return .refused(.invalidCredentials, because: "not a password")
        }
        let person = try await find(guess.username, context)
        do {
            return try await GuessBudgets.password(of: person, named: guess.username, in: context)
                .attempt { try await check(guess, password, person, context) }
                .continued { try accept($0, context) }
        } catch PasswordHashingError.busy(let wait) {
            return .refused(
                .busy, because: "the hashing pool is full", retryAfter: max(1, wait.seconds))
        }
    }

    private func check(
        _ guess: Guess, _ password: Password, _ person: Person?, _ context: CeremonyContext
    ) async throws -> Result<Right, CeremonyRefusal> {
        let stored = try await PasswordCredential.of(person?.id, in: context)
        guard let person, let stored else {
            try await context.provider.passwords.verifyNothing(password)
            return .refused(
                .invalidCredentials, because: "no such person or no password", person: person?.id)
        }
        let isRight = try await context.provider.passwords.verify(password, against: stored.phc)
        guard isRight, guess.password != nil else {
            return .refused(.invalidCredentials, because: "wrong password", person: person.id)
        }
        // Counted like a wrong one. Otherwise the limit would reveal that the password was right.
        guard !person.disabled else {
            return .refused(
                .invalidCredentials, because: "the person is disabled", person: person.id)
        }
        try await stored.renew(password, in: context)
        try await stored.noteUse(in: context)
        return .success(Right(person: person, stored: stored))
    }

    /// Runs after the attempt was counted, because the refusal of a first password reveals that it
    /// is right.
    private func accept(
        _ right: Right, _ context: CeremonyContext
    ) throws -> Result<VerifiedPerson, CeremonyRefusal> {
        if right.stored.details.mustChange {
            return .failure(try FirstPassword(context).refusal(of: right.person, right.stored))
        }
        return .success(
            VerifiedPerson(
                person: right.person,
                factor: .password(right.stored.credential.id, at: context.now)))
    }

    private func find(_ name: String?, _ context: CeremonyContext) async throws -> Person? {
        guard let name else { return nil }
        return try await context.person(calling: name)
    }
}
