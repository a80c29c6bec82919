// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import Storage
import StorageSQL
import Support
import Testing

@testable import WebPages

/// Who else might have a form sent that was interrupted, or more than once.
@Suite struct ResumptionAttackTests {
    private let house: ConsoleHouse
    private let page = "/console/projects/qa/people/bea"
    private let password = "correct horse battery staple"

    init() async throws { house = try await ConsoleHouse() }

    /// An administrator's browser in which the disabling of a person waits for a sign-in.
    private func interrupted() async throws -> Browser {
        try await house.person("bea", in: house.qa)
        var browser = try await house.administrator(.owner)
        house.pages.clock.advance(by: .minutes(31))
        try await browser.interrupted(page + "/disable")
        return browser
    }

    private func isDisabled() async throws -> Bool? {
        try await house.store.people.person(username: "bea", in: house.qa.id)?.disabled
    }

    @Test(
        "Attack 82: a form that was interrupted is replayed once, by the same person in the same browser only"
    )
    func once() async throws {
        var browser = try await interrupted()
        let first = try await browser.signInAgain("olga")
        #expect(try await browser.get("/resume").location == "/account")
        #expect(try await browser.sendOn(first).location == page + "?done=disabled")
        for path in ["/resume", "/resume?typed=1", "/resume?next=console"] {
            #expect(try await browser.get(path).location == "/account")
        }
    }

    @Test("Attack 82: of many that ask at once for an interrupted form one gets it")
    func race() async throws {
        var browser = try await interrupted()
        _ = try await browser.get(Browser.resumed)
        _ = try await browser.submit(
            "/sign-in", ["username": "olga", "password": password, "next": "resume"])
        let signedIn = browser
        let pages = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var browser = signedIn
                    return try await browser.get("/resume").text.contains(
                        "data-action=\"resume\"")
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(pages == 1)
    }

    @Test("Attack 82: another person who signs in there gets nothing of an interrupted form")
    func anotherPerson() async throws {
        _ = try await house.administrator(.owner, named: "paul")
        _ = try await house.pages.registered("eve")
        var olga = try await interrupted()
        for (name, next) in [("paul", "/console"), ("eve", "/account")] {
            var same = olga
            #expect(try await same.signInAgain(name).location == next)
            let theirs = try await same.get(page + "?typed=1")
            #expect(theirs.status == (name == "paul" ? .ok : .forbidden))
            #expect(try await isDisabled() == false)
        }
        // It waits for her.
        let hers = try await olga.signInAgain("olga")
        #expect(try await olga.sendOn(hers).location == page + "?done=disabled")
    }

    @Test("Attack 82: another browser of the same person gets nothing of an interrupted form")
    func anotherBrowser() async throws {
        var olga = try await interrupted()
        var elsewhere = house.pages.browser()
        #expect(try await elsewhere.signInAgain("olga").location == "/account")
        // With all cookies but the browser's own as well.
        var copied = olga
        copied.cookies["gatehouse-form"] = elsewhere.cookies["gatehouse-form"]
        #expect(try await copied.signInAgain("olga").text.contains("resume") == false)
        #expect(try await isDisabled() == false)
        let hers = try await olga.signInAgain("olga")
        #expect(try await olga.sendOn(hers).location == page + "?done=disabled")
    }

    @Test("Attack 82: without the sign-in that was asked for an interrupted form waits")
    func notSignedIn() async throws {
        var browser = try await interrupted()
        #expect(try await browser.get("/resume").location == Browser.resumed)
        var stranger = browser
        stranger.cookies["gatehouse-session"] = nil
        #expect(try await stranger.get("/resume").location == "/sign-in?next=resume")
        #expect(try await isDisabled() == false)
    }

    @Test("Attack 82: a person who lost the role cannot complete an interrupted form")
    func roleLost() async throws {
        var browser = try await interrupted()
        let again = try await browser.signInAgain("olga")
        _ = try await house.administrator(.owner, named: "otto")
        let dismissed = try await house.store.administrators.dismiss(
            administrator: house.pages.person("olga").id, of: nil)
        #expect(dismissed == .dismissed)
        #expect(try await browser.sendOn(again).status == .forbidden)
        #expect(try await isDisabled() == false)
    }

    @Test("Attack 82: an interrupted form expires after ten minutes")
    func expired() async throws {
        var browser = try await interrupted()
        house.pages.clock.advance(by: .seconds(601))
        #expect(try await browser.signInAgain("olga").location == "/console")
        #expect(try await isDisabled() == false)
    }

    @Test("Attack 82: the page that sends an interrupted form does so under its own token alone")
    func forged() async throws {
        var browser = try await interrupted()
        let old = browser.formToken
        let form = try Resumption(try await browser.signInAgain("olga"))
        #expect(form.fields["form_token"] != old)
        for token in [old, "", "AAAA"] {
            let sent = try await browser.submit(form.action, ["form_token": token])
            #expect(sent.status == .forbidden)
        }
        browser.fetchSite = "cross-site"
        #expect(try await browser.submit(form.action, form.fields).status == .forbidden)
        #expect(try await isDisabled() == false)
    }

    @Test(
        "Attack 82: where another site leads to the page, an interrupted form waits for its button")
    func ledByOthers() async throws {
        var browser = try await interrupted()
        _ = try await browser.get(Browser.resumed)
        _ = try await browser.submit(
            "/sign-in", ["username": "olga", "password": password, "next": "account"])
        let page = try await browser.send(
            .get, "/resume", headers: [.secFetchSite: "cross-site"], body: [])
        #expect(page.text.contains("data-action=\"resume\""))
        #expect(!page.text.contains("<script"))
    }

    @Test(
        "Attack 86: a form of the console with grave effect waits for a button, and says what it does",
        arguments: [
            ("people/bea/disable", [:]), ("people/bea/sign-out", [:]),
            ("people/bea/re-registration", ["hours": "4"]),
            ("clients/create", ["client_id": "shop"]),
            ("issuer-keys/create", ["issuer": "https://i.example", "kid": "k"]),
            ("settings/theme", ["display_name": "Typed"]), ("keys/rotate", [:]),
        ])
    func grave(_ path: String, _ fields: [String: String]) async throws {
        var browser = try await interrupted()
        try await browser.interrupted("/console/projects/qa/" + path, fields)
        let page = try await browser.signInAgain("olga")
        #expect(try !Resumption(page).sendsItself && !page.text.contains("<script"))
        #expect(page.text.contains("The change is not made yet"))
        let effect = "projects / qa / " + path.replacing("/", with: " / ")
        #expect(page.text.replacing("&#x2F;", with: "/").contains(effect))
        for (name, _) in fields { #expect(page.text.contains(name + ": ")) }
        #expect(try await isDisabled() == false)
    }

    @Test("a form of the console without grave effect is sent by itself after the sign-in")
    func harmless() async throws {
        var browser = try await interrupted()
        try await browser.interrupted(page + "/entitlements", ["set": "gold"])
        #expect(try Resumption(try await browser.signInAgain("olga")).sendsItself)
    }

    @Test("Attack 82: nothing is stored of a form of an unauthenticated client")
    func unauthenticated() async throws {
        var stranger = house.pages.browser()
        for path in [
            page + "/disable", "/account/recovery-codes", "/account/email", "/account/password",
        ] {
            _ = try await stranger.get("/sign-in")
            let sent = try await stranger.submit(path, ["email": "a@example.com"])
            #expect(sent.location?.hasPrefix("/sign-in?next=") == true)
        }
        let rows = try await house.engine.query(
            "SELECT payload FROM challenges WHERE purpose = $1", "typed_form")
        #expect(rows.isEmpty)
    }
}
