// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
package import Primitives
package import ProviderCore
import Storage

/// The replacement of a first password, which an administrator set, by a password that only the
/// person knows.
///
/// A correct first password starts no session. It gives the page a ticket with which the page sets
/// another password. The ticket names the credential, and a new password is a new credential: a
/// ticket works once.
package struct FirstPassword: Sendable {
    /// A new first password of about 98 bits: `abcde-fghjk-mnpqr-stuvw`.
    package static func make(random: any RandomSource) -> String {
        "\(RecoveryCodes.make(random: random))-\(RecoveryCodes.make(random: random))"
    }

    /// Lifetime of a ticket.
    static let lifetime = TimeSpan.minutes(10)

    let context: CeremonyContext

    init(_ context: CeremonyContext) { self.context = context }

    /// The refusal for a correct first password, with a ticket.
    func refusal(of person: Person, _ stored: PasswordCredential) throws -> CeremonyRefusal {
        let end = (context.now + Self.lifetime).milliseconds
        let text = "\(person.id) \(stored.credential.id) \(end)"
        let sealed = try context.provider.secrets.seal(
            Secret(Array(text.utf8)), context: sealing)
        var refusal = UserFacingRefusal.passwordChangeNeeded.refusal(because: "a first password")
        refusal.ticket = Base64URL.encode(sealed)
        return CeremonyRefusal(refusal, person: person.id)
    }

    /// Opens a ticket. Returns `nil` if it is expired, of another project, or its password was
    /// replaced.
    func open(_ ticket: String) async throws -> (person: Person, stored: PasswordCredential)? {
        guard let sealed = Base64URL.decode(ticket),
            let opened = try? context.provider.secrets.open(sealed, context: sealing)
        else { return nil }
        let parts = opened.revealText().split(separator: " ").map(String.init)
        guard parts.count == 3, let end = Int64(parts[2]).map(Timestamp.init(milliseconds:)),
            context.now < end, let id = Identifier<Person>(parts[0]),
            let person = try await context.store.people.person(id),
            person.project == context.project,
            !person.disabled, let stored = try await PasswordCredential.of(id, in: context),
            stored.credential.id == Identifier<Credential>(parts[1]), stored.details.mustChange
        else { return nil }
        return (person, stored)
    }

    private var sealing: String { "first-password/\(context.project)" }
}

/// The password that replaces a first password.
package struct FirstPasswordChange: CredentialRegistrationCeremony {
    let ticket: String
    let password: Secret

    package init(ticket: String, password: Secret) {
        self.ticket = ticket
        self.password = password
    }

    package var action: String { "credential.password.set" }

    package struct ChallengeResult: Sendable {
        let person: Person
        let stored: PasswordCredential
    }

    package struct Evidence: Sendable {
        let answer: ChallengeResult
        let credential: Credential
    }

    package func verify(
        _ context: CeremonyContext
    ) async throws -> Result<ChallengeResult, CeremonyRefusal> {
        guard let (person, stored) = try await FirstPassword(context).open(ticket) else {
            return .refused(.ceremonyExpired, because: "no such first password")
        }
        return .success(ChallengeResult(person: person, stored: stored))
    }

    package func prove(
        _ answer: ChallengeResult, _ context: CeremonyContext
    ) async throws -> Result<Evidence, CeremonyRefusal> {
        try await PasswordValidator.validate(password, for: answer.person, in: context)
            .continued { try await hash($0, answer, context) }
    }

    private func hash(
        _ new: Password, _ answer: ChallengeResult, _ context: CeremonyContext
    ) async throws -> Result<Evidence, CeremonyRefusal> {
        do {
            guard try await !answer.stored.isFirst(new, in: context) else {
                return .refused(
                    .passwordUnchanged, because: "the first password", person: answer.person.id)
            }
            var credential = try await PasswordCredential.make(
                new, for: answer.person.id, in: context)
            credential.awaitsApproval = answer.stored.credential.awaitsApproval
            return .success(Evidence(answer: answer, credential: credential))
        } catch PasswordHashingError.busy(let wait) {
            return .refused(
                .busy, because: "the hashing pool is full", retryAfter: max(1, wait.seconds))
        }
    }

    package func decide(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> CeremonyRefusal? { nil }

    package func commit(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        let (person, credential) = (evidence.answer.person, evidence.credential)
        guard
            try await context.store.credentials.setPassword(
                credential, replacing: .only(evidence.answer.stored.credential.id), keeping: nil,
                now: context.now)
        else {
            return .refused(
                .ceremonyExpired, because: "the password was replaced in the meantime",
                person: person.id)
        }
        return .success(
            RegistrationBinding(
                person: person, credential: credential,
                factor: .password(credential.id, at: context.now), notice: .passwordChanged))
    }
}
