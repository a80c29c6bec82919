// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Connecting Acme to an account that is here already.
@Suite struct UpstreamLinkTests {
    private let house: UpstreamHouse

    init() async throws { house = try await UpstreamHouse(["create_people": false]) }

    /// From the account page to Acme and back.
    private func connect(_ browser: inout Browser) async throws -> Answer {
        let page = try await house.beginLink(&browser)
        #expect(page.status == .ok)
        let back = try house.acme.authorize(try UpstreamHouse.address(in: page))
        return try await browser.get(UpstreamHouse.path(back))
    }

    @Test("A person links Acme, and can sign in with it afterwards")
    func connects() async throws {
        var browser = try await house.pages.registered()
        let answer = try await connect(&browser)
        #expect(answer.status == .seeOther && answer.location == "/account?done=linked")
        let account = try await browser.get("/account?done=linked")
        #expect(account.text.contains("Connected.") && account.text.contains("Disconnect"))
        #expect(!account.text.contains("Connect Acme"))
        var other = house.pages.browser()
        #expect(try await house.signIn(&other).status == .seeOther)
        #expect(try await house.signedIn(other)?.person.username == "anna")
        #expect(try await house.events("credential.federated.added").map(\.outcome) == [.accepted])
    }

    @Test("Attack 29: it requires a recent local factor; a sign-in by Acme is not one")
    func freshness() async throws {
        var browser = try await house.pages.registered()
        _ = try await connect(&browser)
        try await house.put(["create_people": false], identifier: "other")
        // Signed in by Acme just now: recent, but without a local factor.
        var vouched = house.pages.browser()
        _ = try await house.signIn(&vouched)
        _ = try await vouched.get("/account")
        let refused = try await vouched.submit("/account/providers/other/link", [:])
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("Another provider is not enough"))
        // With a password, but too long ago.
        house.pages.clock.advance(by: .minutes(6))
        _ = try await browser.get("/account")
        let stale = try await browser.submit("/account/providers/other/link", [:])
        #expect(stale.location == "/sign-in?next=resume&again=1")
        // With a new factor it goes on by itself, as far as the page of the way there.
        let again = try await browser.signInAgain("anna")
        _ = try UpstreamHouse.address(in: try await browser.sendOn(again))
    }

    @Test("Attack 29: the attempt serves the person and the session that began it alone")
    func otherSession() async throws {
        var browser = try await house.pages.registered()
        let page = try await house.beginLink(&browser)
        let back = UpstreamHouse.path(
            try house.acme.authorize(try UpstreamHouse.address(in: page)))
        // The same browser, with another account.
        browser.cookies["gatehouse-session"] = nil
        _ = try await browser.get("/register")
        _ = try await browser.submit(
            "/register",
            [
                "username": "bea", "name": "", "email": "",
                "password": "correct horse battery staple",
            ])
        let answer = try await browser.get(back)
        #expect(answer.status == .unprocessableContent)
        let bea = try await house.pages.person("bea")
        #expect(try await house.store.credentials.credentials(of: bea.id).count == 1)
        let anna = try await house.pages.person("anna")
        #expect(try await house.store.credentials.credentials(of: anna.id).count == 1)
    }

    @Test("An attempt to sign in links nothing, and an attempt to link does not sign in")
    func purposes() async throws {
        var browser = try await house.pages.registered()
        _ = try await house.signIn(&browser)
        let anna = try await house.pages.person("anna")
        #expect(try await house.store.credentials.credentials(of: anna.id).count == 1)
        let page = try await house.beginLink(&browser)
        let back = UpstreamHouse.path(
            try house.acme.authorize(try UpstreamHouse.address(in: page)))
        browser.cookies["gatehouse-session"] = nil
        let answer = try await browser.get(back)
        #expect(answer.location == "/sign-in?next=account")
        #expect(try await house.signedIn(browser) == nil)
    }

    @Test("Attack 30: an account there belongs to one person here")
    func taken() async throws {
        var browser = try await house.pages.registered()
        _ = try await connect(&browser)
        var bea = try await house.pages.registered("bea")
        let answer = try await connect(&bea)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("already connected"))
        var other = house.pages.browser()
        _ = try await house.signIn(&other)
        #expect(try await house.signedIn(other)?.person.username == "anna")
    }

    @Test("A form of another page connects nothing")
    func forgery() async throws {
        var browser = try await house.pages.registered()
        let answer = try await browser.submit(
            "/account/providers/acme/link", ["form_token": "forged"])
        #expect(answer.status != .ok && house.acme.asked.isEmpty)
        #expect(try await browser.get("/account/providers/acme/link").status != .ok)
        var stranger = house.pages.browser()
        _ = try await stranger.get("/sign-in")
        let page = try await stranger.submit("/account/providers/acme/link", [:])
        #expect(page.location == "/sign-in?next=account")
    }

    @Test("A disabled provider cannot be linked, and one that becomes disabled is not")
    func disabled() async throws {
        var browser = try await house.pages.registered()
        let page = try await house.beginLink(&browser)
        let back = UpstreamHouse.path(
            try house.acme.authorize(try UpstreamHouse.address(in: page)))
        try await house.put(["enabled": false])
        #expect(try await browser.get(back).status == .unprocessableContent)
        #expect(try await house.beginLink(&browser).status == .unprocessableContent)
        let anna = try await house.pages.person("anna")
        #expect(try await house.store.credentials.credentials(of: anna.id).count == 1)
    }

    @Test("Unlinking requires another sign-in method, or is refused")
    func disconnect() async throws {
        var browser = try await house.pages.registered()
        _ = try await connect(&browser)
        let anna = try await house.pages.person("anna")
        let link = try #require(
            try await house.store.credentials.credentials(of: anna.id).first { $0.upstream != nil })
        let password = try #require(
            try await house.store.credentials.credentials(of: anna.id).first {
                $0.kind == .password
            })
        _ = try await browser.get("/account")
        var answer = try await browser.submit("/account/credentials/\(link.id)/remove", [:])
        #expect(answer.location == "/account?done=removed")
        var other = house.pages.browser()
        #expect(try await house.signIn(&other).status == .unprocessableContent)
        _ = try await connect(&browser)
        _ = try await browser.get("/account")
        answer = try await browser.submit("/account/credentials/\(password.id)/remove", [:])
        #expect(answer.location == "/account?done=removed")
        let last = try #require(
            try await house.store.credentials.credentials(of: anna.id).first { $0.upstream != nil })
        _ = try await browser.get("/account")
        answer = try await browser.submit("/account/credentials/\(last.id)/remove", [:])
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("only sign-in method"))
    }

    @Test("Only its owner can unlink a federated identity")
    func foreign() async throws {
        var browser = try await house.pages.registered()
        _ = try await connect(&browser)
        let anna = try await house.pages.person("anna")
        let link = try #require(
            try await house.store.credentials.credentials(of: anna.id).first { $0.upstream != nil })
        var bea = try await house.pages.registered("bea")
        _ = try await bea.get("/account")
        let answer = try await bea.submit("/account/credentials/\(link.id)/remove", [:])
        #expect(answer.status == .unprocessableContent)
        #expect(
            try await house.store.credentials.credentials(of: anna.id).contains { $0.id == link.id }
        )
    }

    @Test("People of another provider get no password, because they have no local username")
    func password() async throws {
        try await house.put()
        var browser = house.pages.browser()
        _ = try await house.signIn(&browser)
        _ = try await browser.get("/account")
        let answer = try await browser.submit(
            "/account/password", ["password": "correct horse battery staple"])
        #expect(answer.status == .forbidden)
        let person = try #require(try await house.signedIn(browser)).person
        #expect(
            try await house.store.credentials.credentials(of: person.id).map(\.kind) == [
                .federatedIdentity
            ])
    }
}
