// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderPeople
import Storage
import Support
import Testing

/// Names of people who were removed, at the ways by which new people come.
@Suite struct HeldNameTests {
    private func remove(_ username: String, in house: PeopleHouse) async throws {
        let store = house.provider.store
        let person = try #require(
            try await store.people.person(username: username, in: house.project.id))
        try await store.people.remove(person: person.id, now: house.clock.now)
    }

    @Test("Attack 85: a person does not register under the username of a removed person")
    func registration() async throws {
        let house = try await PeopleHouse()
        _ = try await house.register("anna").get()
        try await remove("anna", in: house)
        #expect(try await house.register("Anna").code == .usernameTaken)
        #expect(try await house.register("bea").code == nil)
        let isReleased = try await house.provider.store.people.release(
            name: "anna", of: house.project.id, now: house.clock.now)
        #expect(isReleased)
        #expect(try await house.register("anna").get().person.shownName == "anna")
    }

    @Test("Attack 85: applications are not told a removed person's username for a new person")
    func created() async throws {
        let house = try await PeopleHouse()
        let text = #"{"projects":[{"name":"default","users":[{"username":"anna"}]}]}"#
        let state = try StateParser.parse(
            JSONParser.parse(Array(text.utf8), maximumBytes: 100_000))
        for name in ["anna", "anna#local"] {
            _ = try await StateReconciler(house.provider).apply(state, facts: house.facts).get()
            let anna = try await house.provider.store.people.person(
                username: "anna", in: house.project.id)
            #expect(anna?.shownName == name)
            try await remove("anna", in: house)
        }
    }

    @Test("Attack 89: a person who renames the account again and again withholds no name")
    func renames() async throws {
        let house = try await PeopleHouse()
        let anna = try await house.member("anna")
        let (store, id) = (house.provider.store, anna.person.id)
        for name in (0..<20).map({ "anna-\($0)" }) {
            // The account page changes the name that is shown, and no username.
            #expect(
                try await AccountService(house.context, signedIn: anna).rename(to: name).get()
                    == name)
            await #expect(throws: StorageError.self) {
                try await store.people.change(
                    person: id, now: house.clock.now, always { $0.username = name })
            }
        }
        #expect(try await store.people.person(id)?.username == "anna")
        for name in ["anna"] + (0..<20).map({ "anna-\($0)" }) {
            let isHeld = try await store.people.isHeld(
                name: name, in: house.project.id, now: house.clock.now)
            #expect(!isHeld)
        }
    }

    @Test("Attack 90: a removed account does not give its registration back to its network")
    func registrationsAreCounted() async throws {
        var house = try await PeopleHouse()
        house.limits.perAddress = 2
        for name in ["anna", "bea"] {
            _ = try await house.register(name).get()
            try await remove(name, in: house)
        }
        #expect(try await house.register("carla").code == .tooManyAttempts)
        house.address = "192.0.2.2"
        #expect(try await house.register("carla").code == nil)
    }

    @Test("after the period of the project's policy a username is assigned again")
    func period() async throws {
        var policy = ProjectPolicy()
        policy.usernameReuseDelay = 3600
        let house = try await PeopleHouse(policy: policy)
        _ = try await house.register("anna").get()
        try await remove("anna", in: house)
        #expect(try await house.register("anna").code == .usernameTaken)
        house.clock.advance(by: .hours(1))
        #expect(try await house.register("anna").get().person.shownName == "anna")
    }
}
