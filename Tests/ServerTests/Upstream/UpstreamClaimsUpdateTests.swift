// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// People who come again are as their provider describes them now.
@Suite struct UpstreamClaimsUpdateTests {
    private func come(_ house: UpstreamHouse) async throws -> Person {
        var browser = house.pages.browser()
        _ = try await house.signIn(&browser)
        return try #require(try await house.signedIn(browser)).person
    }

    @Test("What the provider says at a later sign-in takes the place of what it said before")
    func refreshed() async throws {
        let house = try await UpstreamHouse()
        let before = try await come(house)
        house.pages.clock.advance(by: .minutes(1))
        house.acme.change {
            $0.claims["name"] = "Anna Nova"
            $0.claims["nickname"] = "Ann"
            $0.claims["email"] = "nova@acme.example"
            $0.claims["preferred_username"] = "nova"
        }
        let after = try await come(house)
        #expect(after.id == before.id && after.claims.name == "Anna Nova")
        #expect(after.claims.nickname == "Ann" && after.claims.email == "nova@acme.example")
        #expect(after.claims.emailVerified == false)
        // Her name here is hers; nothing that apps know her by changes.
        #expect(after.username == "anna")
        #expect(after.claims.updatedAt == house.pages.clock.now.seconds)
        #expect(after.claims.locale == "de")
    }

    @Test("What it no longer mentions stays, what it takes back goes, and nonsense changes nothing")
    func absent() async throws {
        let house = try await UpstreamHouse()
        house.acme.change { $0.claims["nickname"] = "Ann" }
        _ = try await come(house)
        house.acme.change {
            $0.claims["nickname"] = nil
            $0.claims["name"] = 7
            $0.userInfo["locale"] = .null
        }
        let after = try await come(house)
        #expect(after.claims.nickname == "Ann" && after.claims.name == "Anna of Acme")
    }

    @Test("Who comes and is the same is not written")
    func unchanged() async throws {
        let house = try await UpstreamHouse()
        let before = try await come(house)
        house.pages.clock.advance(by: .minutes(1))
        #expect(try await come(house) == before)
    }

    @Test("With refresh_claims off they stay as they were made")
    func off() async throws {
        let house = try await UpstreamHouse(["refresh_claims": false])
        _ = try await come(house)
        house.acme.change { $0.claims["name"] = "Anna Nova" }
        #expect(try await come(house).claims.name == "Anna of Acme")
    }

    @Test("An address that a local person has confirmed is not confirmed for another")
    func mailbox() async throws {
        let house = try await UpstreamHouse(["trust_email": true])
        let anna = try await come(house)
        #expect(anna.claims.emailVerified == true)
        house.acme.change {
            $0.subject = "acme-8"
            $0.claims["preferred_username"] = "bob"
            $0.claims["email"] = "bob@acme.example"
        }
        let bob = try await come(house)
        #expect(bob.claims.emailVerified == true)
        house.acme.change { $0.claims["email"] = "anna@acme.example" }
        let changed = try await come(house)
        #expect(changed.id == bob.id && changed.claims.email == "anna@acme.example")
        #expect(changed.claims.emailVerified == false)
    }

    @Test("An address that was confirmed here stays so while the provider says the same one")
    func confirmedHere() async throws {
        let house = try await UpstreamHouse()
        var anna = try await come(house)
        anna.claims.emailVerified = true
        #expect(try await house.store.people.update(anna, now: house.pages.clock.now))
        #expect(try await come(house).claims.emailVerified == true)
        house.acme.change { $0.claims["email"] = "nova@acme.example" }
        #expect(try await come(house).claims.emailVerified == false)
    }

    @Test("A person who only linked an account keeps their own claims")
    func linked() async throws {
        let house = try await UpstreamHouse()
        var browser = try await house.pages.registered()
        let before = try await house.pages.person("anna")
        let page = try await house.beginLink(&browser)
        let back = try house.acme.authorize(try UpstreamHouse.address(in: page))
        _ = try await browser.get(UpstreamHouse.path(back))
        let after = try await come(house)
        #expect(after.id == before.id && after.claims == before.claims)
    }

    @Test(
        "A person disabled at the provider is refused, and their sessions end",
        arguments: [JSONValue.bool(false), .string("true"), .null])
    func inactive(_ word: JSONValue) async throws {
        let house = try await UpstreamHouse(["claims": ["active": "enabled"]])
        house.acme.change { $0.claims["enabled"] = true }
        var first = house.pages.browser()
        _ = try await house.signIn(&first)
        #expect(try await house.signedIn(first) != nil)
        house.acme.change { $0.claims["enabled"] = word }
        var second = house.pages.browser()
        let answer = try await house.signIn(&second)
        #expect(answer.status == .unprocessableContent)
        #expect(try await house.signedIn(second) == nil)
        #expect(try await house.signedIn(first) == nil)
        house.acme.change { $0.claims["enabled"] = true }
        #expect(try await come(house).username == "anna")
    }

    @Test("A person disabled there is not created")
    func inactiveNewcomer() async throws {
        let house = try await UpstreamHouse(["claims": ["active": "enabled"]])
        house.acme.change { $0.claims["enabled"] = false }
        var browser = house.pages.browser()
        #expect(try await house.signIn(&browser).status == .unprocessableContent)
        #expect(try await house.events("registration.federated").isEmpty)
    }
}
