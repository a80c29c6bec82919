// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing

/// The administrative services, without HTTP: an action is one call with one audit event.
@Suite struct AdministrativeServiceTests {
    private func scope(
        _ house: PeopleHouse, by administrator: Person? = nil, project: Project? = nil
    ) -> AdministrativeScope {
        var facts = house.facts
        facts.administrator = administrator?.id
        let caller = AdministrativeCaller(house.provider, facts: facts, rights: nil)
        return AdministrativeScope(caller, project ?? house.project)
    }

    private func code(_ result: AdministrativeResult<some Any>) -> String? {
        if case .failure(let refusal) = result { refusal.code } else { nil }
    }

    @Test("The removal of a person writes one event; a refused removal writes none")
    func removal() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member().person
        let people = PeopleAdministration(scope(house))
        let owner = try await RoleAdministration(
            AdministrativeCaller(house.provider, facts: house.facts, rights: nil)
        ).grant(.owner, to: "anna", in: nil)
        #expect(code(owner) == nil)
        #expect(try await code(people.remove("anna")) == "last_owner")
        #expect(try await code(people.remove("paul")) == "unknown_person")
        #expect(try await house.events("admin.person.remove").isEmpty)
        _ = try await house.member("paul")
        #expect(try await code(people.remove("paul")) == nil)
        let events = try await house.events("admin.person.remove")
        #expect(events.count == 1 && events.first?.details.contains("paul") == true)
        #expect(try await house.provider.store.people.person(anna.id) != nil)
    }

    @Test("A service of one project does not find the people of another by sub")
    func otherProject() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member().person
        let other = try await house.neighbour().project
        let name = anna.id.description
        let people = PeopleAdministration(scope(house, project: other))
        #expect(try await code(people.overview(name)) == "unknown_person")
        #expect(try await code(people.endSessions(name)) == "unknown_person")
        #expect(try await code(PeopleAdministration(scope(house)).overview(name)) == nil)
    }

    @Test("A set is saved only if its condition is met, and only then recorded")
    func conditions() async throws {
        let house = try await PeopleHouse()
        let sets = EntitlementSetAdministration(scope(house))
        let one = EntitlementValues(stored: #"{"notes":1}"#)
        let two = EntitlementValues(stored: #"{"notes":2}"#)
        func put(
            _ values: EntitlementValues, _ condition: SaveCondition<EntitlementValues>
        ) async throws -> String? {
            try await code(sets.put(set: "base", values, if: condition))
        }
        #expect(try await put(one, .onlyNew) == nil)
        #expect(try await put(two, .onlyNew) == "exists_already")
        #expect(try await put(two, .onlyOver(two)) == "changed_since")
        #expect(try await put(two, .onlyOver(one)) == nil)
        #expect(try await put(one, .always) == nil)
        #expect(try await house.events("admin.entitlement-set.put").count == 3)
    }

    @Test("A restoration consumes its offer, unless the resource is not created")
    func restoration() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member().person
        let offers = RestoreOffers(scope(house, by: anna))
        let handle = try await offers.save("{}")
        let offer = try #require(try await offers.offer(handle))
        let refused = try await offers.restore(offer, of: .removeClient, name: "app") { false }
        #expect(refused == .refused)
        #expect(try await house.events("admin.removal.undo").isEmpty)
        #expect(try await offers.offer(handle)?.text == "{}")
        let restored = try await offers.restore(offer, of: .removeClient, name: "app") { true }
        #expect(restored == .restored)
        let again = try await offers.restore(offer, of: .removeClient, name: "app") {
            Issue.record("a consumed offer creates nothing")
            return true
        }
        #expect(again == .unknown)
        let events = try await house.events("admin.removal.undo")
        #expect(events.count == 1 && events[0].details.contains(anna.id.description))
    }

    @Test("The handle of an offer is useless to another administrator, and after ten minutes")
    func offers() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member().person
        let paul = try await house.member("paul").person
        let handle = try await RestoreOffers(scope(house, by: anna)).save("{}")
        #expect(try await RestoreOffers(scope(house, by: paul)).offer(handle) == nil)
        #expect(try await RestoreOffers(scope(house, by: anna)).offer(handle) != nil)
        house.clock.advance(by: RestoreOffers.lifetime)
        #expect(try await RestoreOffers(scope(house, by: anna)).offer(handle) == nil)
    }

    @Test("An interrupted form is found in its browser only, and consumed once")
    func interruptedForm() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member().person
        func forms(_ browser: UInt8) -> InterruptedFormStore {
            InterruptedFormStore(
                house.provider, of: anna, browserSecret: [browser], now: house.clock.now)
        }
        try await forms(1).save(Secret("name=Anna"))
        #expect(try await forms(2).consume() == nil)
        #expect(try await forms(1).find()?.revealText() == "name=Anna")
        #expect(try await forms(1).consume()?.revealText() == "name=Anna")
        #expect(try await forms(1).consume() == nil)
    }
}
