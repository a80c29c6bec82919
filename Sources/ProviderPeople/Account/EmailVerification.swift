// SPDX-License-Identifier: Apache-2.0
import Primitives
package import ProviderCore
import ProviderSettings
import Storage

/// Changes or confirms the email address of a signed-in person.
///
/// The address is changed when the person enters the code that was sent to it. Until then the old
/// one is unchanged.
package struct EmailVerification: Sendable {
    let context: CeremonyContext
    let signedIn: AuthenticatedSession

    package init(_ context: CeremonyContext, signedIn: AuthenticatedSession) {
        self.context = context
        self.signedIn = signedIn
    }

    /// Sends a code to `typed`. Returns the handle for the page.
    package func begin(address typed: String) async throws -> Result<String, Refusal> {
        let outcome = try await send(to: typed)
        return try await context.finish("email.code-sent", outcome) { _ in signedIn.person.id }
    }

    /// Consumes the code and saves the address as verified.
    package func finish(handle: String, code: String) async throws -> Result<String, Refusal> {
        let outcome = try await EmailCode(context: context, purpose: .emailVerification)
            .redeem(code, handle: handle)
            .continued { try await bind($0) }
        return try await context.finish("email.verified", outcome) { _ in signedIn.person.id }
    }

    private func send(to typed: String) async throws -> Result<String, CeremonyRefusal> {
        let person = signedIn.person
        guard signedIn.isFresh(at: context.now) else {
            return .refused(.freshSignInNeeded, because: "not fresh", person: person.id)
        }
        guard let address = EmailAddressSyntax.canonical(typed) else {
            return .refused(.emailInvalid, because: "e-mail address", person: person.id)
        }
        guard context.provider.mail != nil else {
            return .refused(.mailUnavailable, because: "no SMTP server", person: person.id)
        }
        let counter = AttemptCounter(context: context)
        if let declined = try await counter.count(mailTo: person.id.description) {
            return .failure(CeremonyRefusal(declined.refusal, person: person.id))
        }
        let (handle, code) = try await EmailCode(context: context, purpose: .emailVerification)
            .issue(for: person.id, address: address)
        // A refusal would reveal that recovery codes for another person's username go to `address`.
        guard try await counter.admits(mailToMailbox: address) else { return .success(handle) }
        guard
            await Mailer(context: context).deliver(
                .verificationCode(code), to: person, at: address)
        else { return .refused(.mailUnavailable, because: "mail failed", person: person.id) }
        return .success(handle)
    }

    private func bind(_ proven: EmailCode.Proven) async throws -> Result<String, CeremonyRefusal> {
        guard proven.person == signedIn.person.id else {
            return .refused(.codeWrong, because: "another person's code")
        }
        let now = context.now
        let change = try await context.store.people.change(ofOneself: proven.person, now: now) {
            $0.email = proven.address
            $0.emailVerified = true
        }
        guard case .saved(let before, _) = change else {
            return .refused(.codeExpired, because: "the person is disabled or gone")
        }
        let old = before.claims.emailVerified == true ? before.claims.email : nil
        if let old, old != proven.address {
            // The notification goes to the old address.
            Mailer(context: context).send(.emailChanged, to: before)
        }
        return .success(proven.address)
    }
}
