// SPDX-License-Identifier: Apache-2.0
package import ProviderCore
import ProviderSettings
package import Storage

/// Account recovery with a code that is sent to a verified email address.
///
/// The response does not reveal whether the person or the address exists: it is the same page,
/// after the same work. The email is sent afterwards.
package struct AccountRecovery: Sendable {
    let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// Sends a code if the person exists. Returns the handle for the page.
    ///
    /// - Parameter typed: a username or an email address.
    package func begin(for typed: String) async throws -> Result<String, Refusal> {
        var found: Person?
        let outcome = try await send(for: typed, found: &found)
        let id = found?.id
        return try await context.finish("recovery.code-sent", outcome) { _ in id }
    }

    private func send(
        for typed: String, found: inout Person?
    ) async throws -> Result<String, CeremonyRefusal> {
        guard context.provider.mail != nil else {
            return .refused(.mailUnavailable, because: "no SMTP server")
        }
        let counter = AttemptCounter(context: context)
        if let declined = try await counter.countRequest() { return .failure(declined) }
        let name = UserName.canonical(typed) ?? ""
        if let declined = try await counter.count(mailTo: name) { return .failure(declined) }
        found = try await find(typed)
        let address = found?.claims.email
        // Without a person the same work is done, so that the response time is the same.
        let isAdmitted = try await counter.admits(mailToMailbox: Self.mailbox(address ?? name))
        let (handle, code) = try await EmailCode(context: context, purpose: .accountRecovery)
            .issue(for: found?.id, address: address ?? "")
        if isAdmitted, let person = found {
            Mailer(context: context).send(.recoveryCode(code), to: person)
        }
        return .success(handle)
    }

    private static func mailbox(_ address: String) -> String {
        EmailAddressSyntax.canonical(address) ?? address
    }

    /// An active person of the project with a verified email address.
    private func find(_ typed: String) async throws -> Person? {
        guard let person = try await context.person(calling: typed), !person.disabled,
            person.claims.emailVerified == true,
            person.claims.email != nil
        else { return nil }
        return person
    }

    /// Consumes the code and signs the person in. Ends all their other sessions, and revokes the
    /// grants that belong neither to a session nor to an installation, such as those of devices.
    package func finish(
        handle: String, code: String, replacing: Session?
    ) async throws -> Result<CompletedSignIn, Refusal> {
        let completed = try await CeremonyRunner(context).run(
            EmailCodeSignIn(handle: handle, code: code, replacing: replacing))
        if case .success(let signIn) = completed {
            _ = try await context.store.sessions.endSessions(
                of: signIn.signedIn.person.id, except: signIn.signedIn.session.id,
                now: context.now)
            try await endMachines(of: signIn.signedIn.person)
            Mailer(context: context).send(.accountRecovered, to: signIn.signedIn.person)
        }
        return completed
    }

    private func endMachines(of person: Person) async throws {
        for grant in try await context.store.grants.grants(of: person.id, now: context.now)
        where grant.session == nil && grant.installation == nil {
            try await context.store.grants.revoke(grant: grant.id, now: context.now)
        }
    }
}

/// Signs a person in with a recovery code that was sent by email.
struct EmailCodeSignIn: SignInCeremony {
    let handle: String
    let code: String
    let replacing: Session?

    var action: String { "sign-in.email-code" }

    func consume(
        _ message: Void, _ context: CeremonyContext
    ) async throws -> Result<EmailCode.Proven, CeremonyRefusal> {
        try await EmailCode(context: context, purpose: .accountRecovery)
            .redeem(code, handle: handle)
    }

    func prove(
        _ proven: EmailCode.Proven, _ context: CeremonyContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal> {
        // The address must still be the person's: a change of it invalidates the code.
        guard let person = try await context.store.people.person(proven.person),
            person.claims.email == proven.address, person.claims.emailVerified == true
        else {
            return .refused(.codeExpired, because: "the email address is no longer of this person")
        }
        return .success(VerifiedPerson(person: person, factor: .code(at: context.now)))
    }
}
