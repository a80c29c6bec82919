// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// What a form for a new account is repeated by: it names the person who is to come of it. Whoever
/// sends the same form again, because the answer was lost on the way, finds their own account, and
/// is not told that their name is taken.
///
/// It proves nothing: who comes back shows themselves as at any sign-in.
package enum RegistrationTicket {
    /// How long an answer may be lost.
    static let lifetime = TimeSpan.hours(1)

    package static func issue(in context: CeremonyContext) throws -> String {
        let person: Identifier<Person> = context.newIdentifier()
        let text = "\(person) \((context.now + lifetime).milliseconds)"
        return Base64URL.encode(
            try context.provider.secrets.seal(
                Secret(Array(text.utf8)), context: sealing(context)))
    }

    /// The form's ticket while somebody may come of it, or has as the form says; or else a new one,
    /// for of one that is used up the form would be repeated in vain.
    package static func kept(
        for application: SignUpForm, in context: CeremonyContext
    ) async throws -> String {
        if let ticket = application.ticket, let use = use(of: ticket, in: context) {
            if try await !context.store.isUsed(use.mark) { return ticket }
            if try await application.wasAccepted(in: context) { return ticket }
        }
        return try issue(in: context)
    }

    /// `nil` for what is none of this project's, or too old.
    static func person(
        of ticket: String, in context: CeremonyContext
    ) -> Identifier<Person>? {
        opened(ticket, in: context)?.person
    }

    /// What is used up when that person comes of it: no one else ever gets their identifier, not
    /// when they are gone either.
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
    /// Who is to come of it: whom its ticket names, as long as nobody has ever come of that.
    func newcomer(in context: CeremonyContext) async throws -> Identifier<Person> {
        guard let ticket, let id = RegistrationTicket.person(of: ticket, in: context),
            let use = RegistrationTicket.use(of: ticket, in: context),
            try await !context.store.isUsed(use.mark)
        else { return context.newIdentifier() }
        return id
    }

    /// What its ticket uses up with that person; `nil` when they come of no ticket.
    func use(for person: Person, in context: CeremonyContext) -> OneTimeUse? {
        guard let ticket, RegistrationTicket.person(of: ticket, in: context) == person.id else {
            return nil
        }
        return RegistrationTicket.use(of: ticket, in: context)
    }

    /// Whether it was accepted before, and only the answer was lost.
    package func wasAccepted(in context: CeremonyContext) async throws -> Bool {
        guard let ticket, let id = RegistrationTicket.person(of: ticket, in: context),
            let name = UserName.canonical(username),
            let person = try await context.store.person(id)
        else { return false }
        return person.project == context.project && person.realm.isEmpty
            && person.username == name
    }
}
