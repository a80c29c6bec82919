// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
import Primitives
import Storage
import Support
import Testing

@testable import ProviderCore
@testable import ProviderPeople

@Suite struct ReplacedPasswordTests {
    /// A sign-in during which the password is replaced, after it was verified.
    private struct Overtaken: SignInCeremony {
        let steps = PasswordSignIn(username: "anna", password: Secret(PeopleHouse.password))
        var action: String { steps.action }
        var replacing: Session? { nil }

        func verify(
            _ context: CeremonyContext
        ) async throws -> Result<PasswordSignIn.Guess, CeremonyRefusal> {
            try await steps.verify(context)
        }

        func prove(
            _ guess: PasswordSignIn.Guess, _ context: CeremonyContext
        ) async throws -> Result<VerifiedPerson, CeremonyRefusal> {
            let proven = try await steps.prove(guess, context).get()
            let password = try #require(Password(Secret("set by an administrator")))
            let credential = try await PasswordCredential.make(
                password, for: proven.person.id, in: context)
            _ = try await context.store.credentials.setPassword(
                credential, replacing: .any, keeping: nil, now: context.now)
            return .success(proven)
        }
    }

    @Test("Attack 84: a sign-in that was verified before a password reset opens no session")
    func reset() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.register().get().person
        let outcome = try await CeremonyRunner(house.context).run(Overtaken())
        #expect(outcome.code == .invalidCredentials)
        let sessions = try await house.provider.store.sessions.sessions(
            of: anna.id, now: house.clock.now)
        #expect(sessions.isEmpty)
        #expect(try await house.signIn(password: "set by an administrator").code == nil)
    }
}
