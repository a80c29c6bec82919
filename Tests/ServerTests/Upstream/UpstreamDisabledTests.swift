// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Disabled means disabled: on every path, and at once.
@Suite struct UpstreamDisabledTests {
    @Test("Attack 33: a disabled provider has no button, no redirect and no callback")
    func paths() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        let location = try await house.leave(&browser)
        let back = UpstreamHouse.path(try house.acme.authorize(location))
        try await house.put(["enabled": false])
        #expect(!(try await browser.get("/sign-in").text.contains("Acme")))
        let there = try await browser.get("/sign-in/with/acme")
        #expect(there.status == .unprocessableContent && there.location == nil)
        let answer = try await browser.get(back)
        #expect(answer.status == .unprocessableContent)
        #expect(try await house.signedIn(browser) == nil)
        #expect(!house.acme.asked.contains("/token"))
    }

    @Test("Attack 33: sessions that rest on it end, and begin again when it is enabled")
    func sessions() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        _ = try await house.signIn(&browser)
        let person = try #require(try await house.signedIn(browser)).person
        try await house.put(["enabled": false])
        #expect(try await house.signedIn(browser) == nil)
        #expect(try await browser.get("/account").status == .seeOther)
        try await house.put()
        #expect(try await house.signedIn(browser) == nil)
        _ = try await house.signIn(&browser)
        #expect(try await house.signedIn(browser)?.person.id == person.id)
    }

    @Test("Attack 33: a disabled person cannot sign in with another provider")
    func person() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        _ = try await house.signIn(&browser)
        var person = try #require(try await house.signedIn(browser)).person
        person.disabled = true
        #expect(try await house.store.people.update(person, now: house.pages.clock.now))
        let answer = try await house.signIn(&browser)
        #expect(answer.status == .unprocessableContent)
        #expect(try await house.signedIn(browser) == nil)
    }

    @Test("Attack 33: a link-only provider cannot sign a person in")
    func linkOnly() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        let back = UpstreamHouse.path(
            try house.acme.authorize(try await house.leave(&browser)))
        try await house.put(["link_only": true])
        #expect(!(try await browser.get("/sign-in").text.contains("Acme")))
        #expect(try await browser.get("/sign-in/with/acme").status == .unprocessableContent)
        #expect(try await browser.get(back).status == .unprocessableContent)
        #expect(try await house.signedIn(browser) == nil)
    }

    @Test("Attack 33: an app's access that came from it is not given, and not renewed")
    func grants() async throws {
        let oauth = try await OAuthHouse()
        let now = oauth.clock.now
        let acme = UpstreamProvider(
            id: Identifier(now: now, random: oauth.random), project: oauth.tenant.project.id,
            name: "acme", kind: .oidc, createdAt: now)
        #expect(try await oauth.provider.store.upstreamProviders.save(acme, now: now))
        let link = Credential(
            id: Identifier(now: now, random: oauth.random), project: oauth.tenant.project.id,
            person: oauth.anna.id, kind: .federatedIdentity, externalID: oauth.random.bytes(32),
            createdAt: now, upstream: acme.id)
        #expect(try await oauth.provider.store.credentials.add(link))
        let (cookie, _) = try await oauth.signIn(methods: ["fed"], with: link)
        let tokens = try await oauth.tokens(cookie: cookie)
        let access = try #require(tokens["access_token"]?.string)
        #expect(try oauth.claims(of: access)["amr"] == ["fed"])
        let code = try await oauth.code(cookie: cookie)
        var disabled = acme
        disabled.isEnabled = false
        #expect(try await oauth.provider.store.upstreamProviders.save(disabled, now: now))
        #expect(try await !oauth.isActive(access))
        let refresh = try #require(tokens["refresh_token"]?.string)
        #expect(try oauth.error(try await oauth.refresh(refresh)) == "invalid_grant")
        #expect(try oauth.error(try await oauth.redeem(code)) == "invalid_grant")
        let again = try await oauth.get("/authorize", oauth.request(), cookie: cookie)
        #expect(try OAuthHouse.Answer(again).parameters["code"] == nil)
    }
}
