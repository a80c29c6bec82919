// SPDX-License-Identifier: Apache-2.0
import JOSE
import Mail
import OAuth
import Primitives
import Storage
import Support
import Testing

@testable import ProviderAdministration
@testable import ProviderCore
@testable import ProviderPeople
@testable import ProviderSettings
@testable import ProviderTokens

/// Whose a name is, and what applications are told of it.
@Suite struct PersonLookupTests {
    private let address = "anna@example.com"

    @Test(
        "Attack 73: a name that looks like an email address cannot be registered",
        arguments: [
            "anna@example.com", "boss@", "@", "anna\u{FF20}example.com", "anna\u{FE6B}example.com",
        ])
    func registration(_ name: String) async throws {
        let house = try await PeopleHouse()
        #expect(try await house.register(name).code == .usernameLikeAddress)
        #expect(try await house.register(name, email: address).code == .usernameLikeAddress)
        #expect(try await house.options(name).code == .usernameLikeAddress)
    }

    @Test("Attack 73: an administrator gives such a name to the owner of the address alone")
    func administrators() async throws {
        let house = try await PeopleHouse()
        func apply(_ members: String) async throws -> Result<[StateChange], StateDocumentError> {
            let text = #"{"projects":[{"name":"default","users":[{\#(members)}]}]}"#
            let document = try JSONParser.parse(Array(text.utf8), maximumBytes: 4096)
            return try await StateReconciler(house.provider).apply(
                try StateParser.parse(document), facts: house.facts)
        }
        let name = #""username":"anna@example.com""#
        for email in [
            "", #","email":"anna@example.com""#,
            #","email":"other@example.com","email_verified":true"#,
        ] {
            let result = try await apply(name + email)
            #expect(throws: StateDocumentError.self) { try result.get() }
        }
        _ = try await apply(name + #","email":"Anna@Example.com","email_verified":true"#).get()
        // The person who has the name can continue with it.
        _ = try await apply(name + #","name":"Anna""#).get()
    }

    @Test("Attack 73: recovery goes to the owner of the address, not to the person with that name")
    func recovery() async throws {
        let (house, owner, taker) = try await captured()
        _ = try await AccountRecovery(house.context).begin(for: address).get()
        #expect(try await house.mailbox.next().to.address == address)
        let lookup = PersonLookup(house.provider.store.people, house.project.id)
        for typed in [address, "Anna@Example.COM "] {
            #expect(try await lookup.person(calling: typed)?.id == owner.id)
        }
        #expect(try await lookup.person(calling: "ben@example.com")?.id == taker.id)
    }

    @Test("an address that two people have, or that is not verified, does not find a person")
    func ambiguous() async throws {
        let house = try await PeopleHouse()
        let lookup = PersonLookup(house.provider.store.people, house.project.id)
        let anna = try await house.register(email: address).get().person
        #expect(try await lookup.person(calling: address) == nil)
        try await house.confirm(address, of: anna)
        #expect(try await lookup.person(calling: address)?.id == anna.id)
        try await house.confirm(address, of: try await house.register("ben").get().person)
        #expect(try await lookup.person(calling: address) == nil)
    }

    @Test("Attack 73: applications are told a user name that is there once")
    func told() async throws {
        let house = try await PeopleHouse()
        let local = try await house.register("boss").get().person
        let stranger = Person(
            id: Identifier(now: house.clock.now, random: house.random), project: house.project.id,
            username: "boss", realm: "idp:acme", createdAt: house.clock.now)
        #expect(try await house.provider.store.people.create(stranger, with: []) == .created)
        var told: [JSONValue?] = []
        for id in [local.id, stranger.id] {
            let person = try #require(try await house.provider.store.people.person(id))
            let writer = PersonClaimsWriter(person: person)
            told.append(writer.values(for: ScopeSet(["profile"])).first?.value)
        }
        #expect(told == ["boss", "boss#acme"])
    }

    /// Returns Anna, and a person from before the rule whose username is her address.
    private func captured() async throws -> (house: PeopleHouse, owner: Person, taker: Person) {
        let house = try await PeopleHouse()
        let owner = try await house.register().get().person
        try await house.confirm(address, of: owner)
        let taker = Person(
            id: Identifier(now: house.clock.now, random: house.random), project: house.project.id,
            username: address, createdAt: house.clock.now)
        #expect(try await house.provider.store.people.create(taker, with: []) == .created)
        try await house.confirm("ben@example.com", of: taker)
        return (house, owner, taker)
    }
}
