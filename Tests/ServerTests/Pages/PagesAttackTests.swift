// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Mail
import Primitives
import ProviderCore
import Storage
import Support
import Testing

@testable import HTTPServer

/// Attacks on what a browser holds and is sent.
@Suite struct PagesAttackTests {
    private static let password = "correct horse battery staple"

    private func signIn(_ browser: inout Browser, again: Bool = false) async throws -> Answer {
        _ = try await browser.get(again ? "/sign-in?next=account&again=1" : "/sign-in")
        return try await browser.submit(
            "/sign-in", ["username": "anna", "password": Self.password])
    }

    private static func session(_ browser: Browser) -> String? {
        browser.cookies["gatehouse-session"]
    }

    @Test(
        "Attack 60: a session planted by an attacker is not the one that a sign-in creates",
        arguments: [
            "planted", Base64URL.encode([UInt8](repeating: 9, count: 32)), "",
        ])
    func plantedSession(_ planted: String) async throws {
        let house = try await PagesHouse()
        _ = try await house.registered()
        var victim = house.browser()
        victim.cookies["gatehouse-session"] = planted
        #expect(try await signIn(&victim).status == .seeOther)
        let own = try #require(Self.session(victim))
        #expect(own != planted)
        var attacker = house.browser()
        attacker.cookies["gatehouse-session"] = planted
        #expect(try await attacker.get("/account").location == "/sign-in?next=account")
    }

    @Test("Attack 60: the attacker's own session, planted, ends when the victim signs in over it")
    func overwrittenSession() async throws {
        let house = try await PagesHouse()
        _ = try await house.registered("anna")
        let attacker = try await house.registered("eve", name: "Eve")
        var victim = house.browser()
        victim.cookies = attacker.cookies
        #expect(try await signIn(&victim, again: true).status == .seeOther)
        #expect(Self.session(victim) != Self.session(attacker))
        var afterwards = attacker
        #expect(try await afterwards.get("/account").location == "/sign-in?next=account")
    }

    @Test("Attack 60: registering makes a new session too")
    func registration() async throws {
        let house = try await PagesHouse()
        let attacker = try await house.registered("eve")
        var victim = house.browser()
        victim.cookies = attacker.cookies
        _ = try await victim.get("/register")
        let answer = try await victim.submit(
            "/register", ["username": "berta", "password": Self.password])
        if answer.status == .seeOther {
            #expect(Self.session(victim) != Self.session(attacker))
        }
        var afterwards = attacker
        #expect(!(try await afterwards.get("/account").text.contains("berta")))
    }

    @Test("Attack 60: confirming who one is makes a new session, and the old one ends")
    func confirmation() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        let before = browser
        house.clock.advance(by: .minutes(6))
        #expect(try await signIn(&browser, again: true).status == .seeOther)
        #expect(Self.session(browser) != Self.session(before))
        var stolen = before
        #expect(try await stolen.get("/account").location == "/sign-in?next=account")
        #expect(try await browser.get("/account").status == .ok)
    }

    @Test("Attack 60: the id that the account page shows of a session opens nothing")
    func shownIdentifier() async throws {
        let house = try await PagesHouse()
        _ = try await house.registered()
        let person = try await house.person("anna")
        let sessions = try await house.provider.store.sessions.sessions(
            of: person.id, now: house.clock.now)
        let session = try #require(sessions.first)
        for known in [
            session.id.description, Base64URL.encode(session.id.bytes),
            Base64URL.encode(session.secretHash),
        ] {
            var thief = house.browser()
            thief.cookies["gatehouse-session"] = known
            #expect(try await thief.get("/account").location == "/sign-in?next=account")
        }
    }

    @Test("Attack 35: a code that goes out by mail is in no page, header or cookie")
    func codesStayHome() async throws {
        let mail = Mailbox()
        let house = try await PagesHouse(mail: mail)
        _ = try await house.registered()
        var person = try await house.person("anna")
        person.claims.email = "anna@example.com"
        person.claims.emailVerified = true
        _ = try await house.provider.store.people.update(person, now: house.clock.now)
        var browser = house.browser()
        _ = try await browser.get("/recover")
        let answer = try await browser.submit("/recover", ["username": "anna"])
        let text = try await mail.next().text
        let code = try #require(text.split { !$0.isNumber }.first { $0.count == 8 })
        let headers = answer.response.headers.map { "\($0.name): \($0.value)" }.joined()
        #expect(!answer.text.contains(code) && !headers.contains(code))
        #expect(!browser.cookies.values.contains { $0.contains(code) })
    }

    @Test("Attack 25: no page takes an address from Host or its forwarded relatives")
    func configuredAddresses() async throws {
        let house = try await PagesHouse()
        var browser = house.browser()
        for path in ["/", "/sign-in", "/register", "/recover", "/account", "/device"] {
            let answer = try await browser.send(
                .get, path,
                headers: [
                    .accept: "text/html", .init("X-Forwarded-Host") ?? .accept: "evil.example",
                    .init("Forwarded") ?? .accept: "host=evil.example",
                ], body: [], authority: "evil.example")
            let headers = answer.response.headers.map { "\($0.name): \($0.value)" }.joined()
            #expect(!answer.text.contains("evil.example"), "\(path)")
            #expect(!headers.contains("evil.example"), "\(path)")
        }
    }

    @Test("Attack 25: mails and recovery links do not depend on Host")
    func configuredMails() async throws {
        let mail = Mailbox()
        let house = try await PagesHouse(mail: mail)
        var anna = try await house.registered()
        _ = try await anna.get("/account")
        _ = try await anna.submit(
            "/account/email", ["email": "anna@example.com"], authority: "evil.example")
        var texts = [try await mail.next()]
        var person = try await house.person("anna")
        person.claims.email = "anna@example.com"
        person.claims.emailVerified = true
        _ = try await house.provider.store.people.update(person, now: house.clock.now)
        var lost = house.browser()
        _ = try await lost.get("/recover")
        _ = try await lost.submit("/recover", ["username": "anna"], authority: "evil.example")
        texts.append(try await mail.next())
        let opened = try await lost.send(
            .post, "/admin/v1/projects/default/people/anna/re-registration",
            headers: [
                .authorization: "Bearer gha_test", .contentType: "application/json",
                .init("X-Forwarded-Host") ?? .accept: "evil.example",
            ], body: Array("{}".utf8), authority: "evil.example")
        let link = "\(PagesHouse.issuer)/reregister?token="
        #expect(opened.status == .created)
        #expect(opened.text.replacing("\\/", with: "/").contains(link))
        texts.append(try await mail.next())
        for text in texts {
            #expect(!text.subject.contains("evil.example") && !text.text.contains("evil.example"))
            #expect(!text.text.contains("localhost") || text.text.contains(PagesHouse.issuer))
        }
    }

    @Test("Attack 25: the link of the first start is of the configured address")
    func configuredSetUp() async throws {
        let house = try await PagesHouse()
        let link = try await house.setUpLink()
        #expect(link.hasPrefix("\(PagesHouse.issuer)/setup?token="))
        let path = String(link.dropFirst(PagesHouse.issuer.count))
        var browser = house.browser()
        let page = try await browser.send(
            .get, path, headers: [.accept: "text/html"], body: [], authority: "evil.example")
        let headers = page.response.headers.map { "\($0.name): \($0.value)" }.joined()
        #expect(!page.text.contains("evil.example") && !headers.contains("evil.example"))
    }
}
