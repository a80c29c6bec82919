// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Primitives
import ProviderCore
import Storage
import Support
import Testing

@Suite struct SmartCardRealmTests {
    @Test(
        "Attack 95: a card with the username of a local person signs in no person of another realm",
        arguments: ["subject", "upn"])
    func otherRealm(mapping: String) async throws {
        let authority = try PersonalAuthority()
        let house = try await DeviceHouse(
            try TestCard.settings(
                authority, #""smart_card_revocation":"off","smart_card_mapping":["\#(mapping)"]"#))
        let machine = try await TestMachine.registered(in: house)
        let card = try TestCard(authority) {
            $0.name = "anna"
            $0.principals = ["anna"]
        }
        #expect(try await machine.login(card: card).status == 200)
        var stranger = Person(
            id: Identifier(now: house.clock.now, random: house.random),
            project: try await house.tenant().project.id, username: "anna", realm: "idp:acme",
            createdAt: house.clock.now)
        stranger.claims.email = "anna@acme.example"
        stranger.claims.emailVerified = true
        #expect(try await house.provider.store.people.create(stranger, with: []) == .created)
        let attempt = try await machine.login("anna@acme.example", card: card)
        #expect(attempt.status == 401)
        #expect(attempt.error == "certificate_unmapped")
    }
}
