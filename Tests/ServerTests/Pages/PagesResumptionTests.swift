// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Mail
import Primitives
import ProviderCore
import Storage
import Support
import Testing

@testable import HTTPServer
@testable import WebPages

/// What people change about their own account is done after the sign-in that it asked for.
@Suite struct PagesResumptionTests {
    /// A browser whose sign-in is too old for changes that matter.
    private func late(_ house: PagesHouse) async throws -> Browser {
        var browser = try await house.registered()
        house.clock.advance(by: .minutes(6))
        _ = try await browser.get("/account")
        return browser
    }

    @Test("an address is sent its code after the sign-in, and becomes the person's")
    func changesEmail() async throws {
        let mail = Mailbox()
        let house = try await PagesHouse(mail: mail)
        var browser = try await late(house)
        try await browser.interrupted("/account/email", ["email": "anna@example.com"])
        let again = try await browser.signInAgain("anna")
        #expect(try Resumption(again).sendsItself)
        let page = try await browser.sendOn(again)
        #expect(page.status == .ok && page.text.contains("anna@example.com"))
        let text = try await mail.next().text
        let code = try #require(text.split { !$0.isNumber }.first { $0.count == 8 })
        let form = try UntouchedForm.fields(to: "/account/email/code", in: page.text)
        let done = try await browser.submit(
            "/account/email/code", form.merging(["code": String(code)]) { $1 })
        #expect(done.location == "/account?done=email")
        #expect(try await house.person("anna").claims.email == "anna@example.com")
    }

    @Test("a key is removed after the sign-in, and the page says so")
    func removesKey() async throws {
        let house = try await PagesHouse()
        var browser = try await late(house)
        let person = try await house.person("anna")
        let key = Credential(
            id: Identifier(now: house.clock.now, random: house.random),
            project: house.project.id, person: person.id, kind: .publicKey,
            externalID: house.random.bytes(32), publicPart: house.random.bytes(77),
            label: "Blue key", assurance: "passkey", createdAt: house.clock.now)
        #expect(try await house.provider.store.credentials.add(key))
        let path = "/account/credentials/\(key.id)/remove"
        try await browser.interrupted(path)
        let again = try await browser.signInAgain("anna")
        #expect(try await house.provider.store.credentials.credentials(of: person.id).count == 2)
        let done = try await browser.sendOn(again)
        #expect(done.location == "/account?done=removed")
        #expect(
            try await house.provider.store.credentials.credentials(of: person.id).map(\.kind) == [
                .password
            ])
        #expect(try await browser.get("/account?done=removed").text.contains("role=\"status\""))
    }

    @Test("recovery codes are made after the sign-in, and shown")
    func makesCodes() async throws {
        let house = try await PagesHouse()
        var browser = try await late(house)
        try await browser.interrupted("/account/recovery-codes")
        let asked = try await browser.get(Browser.resumed).text
        #expect(asked.contains("Then the change is made, or you are asked to confirm it"))
        let again = try await browser.signInAgain("anna")
        let codes = try await browser.sendOn(again)
        #expect(codes.text.components(separatedBy: "<li><code>").count == 11)
        // Once.
        #expect(try await browser.get("/resume").location == "/account")
    }

    @Test("a new password is not stored: the page asks for it once more and says so")
    func password() async throws {
        let house = try await PagesHouse()
        var browser = try await late(house)
        try await browser.interrupted(
            "/account/password", ["password": "another horse battery staple"])
        let back = try await browser.signInAgain("anna")
        #expect(back.location == "/account?typed=1")
        let page = try await browser.get("/account?typed=1").text
        #expect(
            page.contains("The password has not been changed")
                && page.contains("<details class=\"change\" open"))
        #expect(!page.contains("another horse"))
        #expect(try await !browser.get("/account").text.contains("has not been changed"))
        let done = try await browser.submit(
            "/account/password", ["password": "another horse battery staple"])
        #expect(done.location == "/account?done=password")
        // The words are of those alone who have sent such a form.
        #expect(try await !browser.get("/account?typed=1").text.contains("has not been changed"))
    }

    @Test("Attack 86: a form of an account with grave effect waits for a button, and says which")
    func grave() async throws {
        let house = try await PagesHouse()
        var browser = try await late(house)
        let person = try await house.person("anna")
        let password = try #require(
            try await house.provider.store.credentials.credentials(of: person.id).first)
        for (path, effect) in [
            ("/account/recovery-codes", "Create new codes"),
            ("/account/credentials/\(password.id)/remove", "Remove password"),
        ] {
            try await browser.interrupted(path)
            let page = try await browser.signInAgain("anna")
            #expect(try !Resumption(page).sendsItself && !page.text.contains("<script"))
            #expect(page.text.contains(effect))
            house.clock.advance(by: .minutes(6))
        }
        #expect(
            try await house.provider.store.credentials.credentials(of: person.id).map(\.id) == [
                password.id
            ])
    }

    @Test(
        "Attack 82: a form of an account is replayed once, by the same person in the same browser")
    func attack() async throws {
        let house = try await PagesHouse()
        _ = try await house.registered("eve")
        var browser = try await late(house)
        try await browser.interrupted("/account/recovery-codes")
        var same = browser
        #expect(try await same.signInAgain("eve").location == "/account")
        var elsewhere = house.browser()
        #expect(try await elsewhere.signInAgain("anna").location == "/account")
        var slow = browser
        let hers = try await browser.signInAgain("anna")
        #expect(try await browser.sendOn(hers).text.contains("<li><code>"))
        #expect(try await slow.signInAgain("anna").location == "/account")
    }

    @Test("a consent says in both languages what the scope registration allows")
    func registrationScope() async throws {
        let house = try await PagesHouse(flow: Asking())
        var browser = try await house.registered()
        for (language, words) in [
            (
                "en",
                "manage your account: add and remove passkeys and app installations, open a "
                    + "browser that is signed in as you, sign you out everywhere, and delete "
                    + "your account"
            ),
            (
                "de",
                "Ihr Konto verwalten: Passkeys und App-Installationen hinzufügen und entfernen, "
                    + "einen Browser öffnen, der als Sie angemeldet ist, Sie überall abmelden und das "
                    + "Konto löschen"
            ),
        ] {
            browser.language = language
            let page = try await browser.get("/consent?continue=h")
            #expect(page.status == .ok && page.text.contains(words))
        }
    }

    /// An authorization that asks for that scope.
    private struct Asking: AuthorizationFlow {
        private var ask: FlowProgress {
            FlowProgress(
                .consent(
                    ConsentPrompt(
                        client: ClientDisplayInfo(name: "Shop"),
                        scopes: ["openid", "registration"],
                        redirectOrigin: nil)))
        }

        func resume(
            _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession?
        ) async throws -> FlowProgress { ask }

        func chooseCurrent(
            _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession
        ) async throws -> FlowProgress { ask }

        func decide(
            _ handle: String, allow: Bool, _ request: ServerRequest,
            _ signedIn: AuthenticatedSession
        ) async throws -> FlowProgress { ask }

        func declineStepUp(
            _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession
        ) async throws -> FlowProgress { ask }
    }
}
