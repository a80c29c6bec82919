// SPDX-License-Identifier: Apache-2.0
import Primitives
package import ProviderCore
import ProviderSettings
import Storage

/// A ticket that makes the registration form of a new account idempotent. It contains the ID of the
/// future person. If the response is lost and the client sends the form again, the client finds the
/// account, and not a refusal because the username is taken.
///
/// It does not authenticate: the person then signs in as usual.
package enum RegistrationTicket {
    /// The time within which a form can be repeated.
    static let lifetime = TimeSpan.hours(1)

    package static func issue(in context: CeremonyContext) throws -> String {
        let person: Identifier<Person> = context.newIdentifier()
        let text = "\(person) \((context.now + lifetime).milliseconds)"
        return Base64URL.encode(
            try context.provider.secrets.seal(
                Secret(Array(text.utf8)), context: sealing(context)))
    }

    /// Returns the ticket of the form if it is unused, or if it created the account of the form.
    /// Otherwise returns a new one, because a repetition with a consumed ticket cannot succeed.
    package static func ticket(
        for application: SignUpForm, in context: CeremonyContext
    ) async throws -> String {
        if let ticket = application.ticket, let use = use(of: ticket, in: context) {
            if try await !context.store.challenges.isUsed(use.mark) { return ticket }
            if try await application.wasAccepted(in: context) { return ticket }
        }
        return try issue(in: context)
    }

    /// Returns `nil` if the ticket is expired or of another project.
    static func person(
        of ticket: String, in context: CeremonyContext
    ) -> Identifier<Person>? {
        opened(ticket, in: context)?.person
    }

    /// The one-time identifier that the creation of the person consumes. The ID of the person is
    /// never assigned again, even after they are deleted.
    static func use(of ticket: String, in context: CeremonyContext) -> OneTimeUse? {
        opened(ticket, in: context).map { person, end in
            OneTimeUse(OneTimeIdentifier(.registrationTicket, key: person.bytes), until: end)
        }
    }

    private static func opened(
        _ ticket: String, in context: CeremonyContext
    ) -> (person: Identifier<Person>, end: Timestamp)? {
        guard let sealed = Base64URL.decode(ticket),
            let opened = try? context.provider.secrets.open(sealed, context: sealing(context))
        else { return nil }
        let parts = opened.revealText().split(separator: " ")
        guard parts.count == 2, let end = Int64(parts[1]).map(Timestamp.init(milliseconds:)),
            context.now < end, let person = Identifier<Person>(String(parts[0]))
        else { return nil }
        return (person, end)
    }

    private static func sealing(_ context: CeremonyContext) -> String {
        "registration-form/\(context.project)"
    }
}

extension SignUpForm {
    /// The ID for the new person: that of the ticket, if it is not consumed, or else a new one.
    func newcomer(in context: CeremonyContext) async throws -> Identifier<Person> {
        guard let ticket, let id = RegistrationTicket.person(of: ticket, in: context),
            let use = RegistrationTicket.use(of: ticket, in: context),
            try await !context.store.challenges.isUsed(use.mark)
        else { return context.newIdentifier() }
        return id
    }

    /// The one-time identifier that the creation of `person` consumes; `nil` if their ID is not
    /// from the ticket.
    func use(for person: Person, in context: CeremonyContext) -> OneTimeUse? {
        guard let ticket, RegistrationTicket.person(of: ticket, in: context) == person.id else {
            return nil
        }
        return RegistrationTicket.use(of: ticket, in: context)
    }

    /// Whether the form was accepted before, so that only its response was lost.
    package func wasAccepted(in context: CeremonyContext) async throws -> Bool {
        guard let ticket, let id = RegistrationTicket.person(of: ticket, in: context),
            let name = UserName.canonical(username),
            let person = try await context.store.people.person(id)
        else { return false }
        return person.project == context.project && person.realm.isEmpty
            && person.username == name
    }
}
