// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing

/// A form for a new account that is sent again, because its answer was lost.
@Suite struct RegistrationTicketTests {
    private func application(
        _ house: PeopleHouse, _ ticket: String, _ username: String = "anna"
    ) -> SignUpForm {
        SignUpForm(username: username, ticket: ticket)
    }

    private func register(
        _ house: PeopleHouse, _ application: SignUpForm
    ) async throws -> Result<RegistrationBinding, Refusal> {
        try await CeremonyRunner(house.context).run(
            PasswordRegistration(
                application: application, password: Secret(PeopleHouse.password)))
    }

    @Test("the same form again is the same registration; with another name it is another one")
    func again() async throws {
        let house = try await PeopleHouse()
        let ticket = try RegistrationTicket.issue(in: house.context)
        let form = application(house, ticket)
        #expect(try await !form.wasAccepted(in: house.context))
        let anna = try await register(house, form).get().person
        #expect(try await form.wasAccepted(in: house.context))
        #expect(try await register(house, form).code == .usernameTaken)
        // A person goes back and submits another account on the same page.
        let other = application(house, ticket, "bea")
        #expect(try await !other.wasAccepted(in: house.context))
        let bea = try await register(house, other).get().person
        #expect(bea.id != anna.id)
        #expect(try await !other.wasAccepted(in: house.context))
    }

    @Test(
        "a form of a deleted account creates another person, with a new identifier"
    )
    func closed() async throws {
        let house = try await PeopleHouse()
        let ticket = try RegistrationTicket.issue(in: house.context)
        let anna = try await register(house, application(house, ticket)).get().person
        try await house.provider.store.people.remove(person: anna.id)
        // On a shared device, another person goes back to the form.
        for name in ["bea", "anna"] {
            let form = application(house, ticket, name)
            #expect(try await !form.wasAccepted(in: house.context))
            let next = try await register(house, form).get().person
            #expect(next.id != anna.id)
        }
        #expect(try await house.provider.store.people.person(anna.id) == nil)
    }

    @Test("a form that is shown again has a ticket by which a lost answer is found again")
    func shownAgain() async throws {
        let house = try await PeopleHouse()
        let fresh = application(house, try RegistrationTicket.issue(in: house.context))
        #expect(
            try await RegistrationTicket.ticket(for: fresh, in: house.context) == fresh.ticket)
        let anna = try await register(house, fresh).get().person
        // Bea and Carla register from a page that stayed open: with Anna's account, and after its
        // deletion.
        for name in ["bea", "carla"] {
            var form = fresh
            form.username = name
            form.ticket = try await RegistrationTicket.ticket(for: form, in: house.context)
            #expect(form.ticket != fresh.ticket)
            let next = try await register(house, form).get().person
            #expect(next.id != anna.id)
            #expect(try await form.wasAccepted(in: house.context))
            try await house.provider.store.people.remove(person: anna.id)
        }
        #expect(
            try await RegistrationTicket.ticket(for: fresh, in: house.context) != fresh.ticket)
    }

    @Test("an earlier registration of a passkey does not restore a deleted person")
    func begun() async throws {
        let house = try await PeopleHouse()
        let form = application(house, try RegistrationTicket.issue(in: house.context))
        let options = try await PasskeyOptions.register(form, in: house.context).get()
        let anna = try await register(house, form).get().person
        try await house.provider.store.people.remove(person: anna.id)
        #expect(try await house.register(house.passkey(), options).code == .usernameTaken)
        #expect(try await house.provider.store.people.person(anna.id) == nil)
    }

    @Test("a passkey's registration is named by it as well")
    func passkey() async throws {
        let house = try await PeopleHouse()
        let form = application(house, try RegistrationTicket.issue(in: house.context))
        let options = try await PasskeyOptions.register(form, in: house.context).get()
        #expect(try await !form.wasAccepted(in: house.context))
        _ = try await house.register(house.passkey(), options).get()
        #expect(try await form.wasAccepted(in: house.context))
        #expect(
            try await PasskeyOptions.register(form, in: house.context).code == .usernameTaken)
    }

    @Test("a ticket that is old, forged, another project's or another page's identifies no person")
    func refused() async throws {
        let house = try await PeopleHouse()
        let ticket = try RegistrationTicket.issue(in: house.context)
        _ = try await register(house, application(house, ticket)).get()
        let other = house.context(of: try await house.neighbour())
        #expect(try await !application(house, ticket).wasAccepted(in: other))
        for text in ["", "x", String(ticket.dropLast()), ticket + "AAAA"] {
            #expect(try await !application(house, text).wasAccepted(in: house.context), "\(text)")
        }
        let later = try RegistrationTicket.issue(in: house.context)
        #expect(try await !application(house, later).wasAccepted(in: house.context))
        let form = application(house, ticket)
        #expect(try await RegistrationTicket.ticket(for: form, in: house.context) == ticket)
        house.clock.advance(by: .hours(2))
        #expect(try await !application(house, ticket).wasAccepted(in: house.context))
        #expect(try await RegistrationTicket.ticket(for: form, in: house.context) != ticket)
    }
}
