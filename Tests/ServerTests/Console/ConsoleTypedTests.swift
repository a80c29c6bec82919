// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage
import StorageSQL
import Support
import Testing

@testable import Server

/// What somebody typed in a form that sends them to sign in once more is there when they come back.
@Suite struct ConsoleTypedTests {
    private let house: ConsoleHouse
    private static let root = "/console/projects/qa"
    private static let words = "What you had typed is here again"

    init() async throws { house = try await ConsoleHouse() }

    /// An administrator whose sign-in is too old for what is grave.
    private func late(_ name: String = "olga") async throws -> Browser {
        let browser = try await house.administrator(.owner, named: name)
        house.pages.clock.advance(by: .minutes(6))
        return browser
    }

    /// Signs in and is sent back. Where to.
    private func comeBack(_ browser: inout Browser, as name: String = "olga") async throws -> String
    {
        _ = try await browser.get("/sign-in?next=console&again=1")
        let signedIn = try await browser.submit(
            "/sign-in",
            ["username": name, "password": "correct horse battery staple", "next": "console"])
        #expect(signedIn.location == "/console")
        return try #require(try await browser.get("/console").location)
    }

    /// Sends a form and is told to sign in; nothing has been done.
    private func lose(
        _ browser: inout Browser, _ path: String, _ fields: [String: String]
    ) async throws {
        let sent = try await browser.submit(path, fields)
        #expect(sent.location == "/sign-in?next=console&again=1")
    }

    @Test("a long form is whole again, and what is pressed then is done")
    func long() async throws {
        var browser = try await late()
        let create = Self.root + "/clients/create"
        // As long as a form may be: of 64 KiB.
        let filler = String(repeating: "a", count: 100)
        let addresses = (0..<400).map { "https://shop.example/\(filler)\($0)" }
        let page = try await browser.get(Self.root + "/clients").text
        var fields = try UntouchedForm.fields(to: create, in: page)
        fields["client_id"] = "shop"
        fields["client_name"] = "Ärger & <Söhne>"
        fields["token_endpoint_auth_method"] = "none"
        fields["redirect_uris"] = addresses.joined(separator: "\r\n")
        try await lose(&browser, create, fields)
        #expect(try await house.store.client(clientID: "shop", in: house.qa.id) == nil)
        let place = try await comeBack(&browser)
        #expect(place == Self.root + "/clients?typed=1")
        let back = try await browser.get(place).text
        #expect(back.contains(Self.words))
        #expect(back.contains("value=\"shop\""))
        #expect(back.contains("Ärger &amp; &lt;Söhne&gt;"))
        let again = try UntouchedForm.fields(to: create, in: back)
        #expect(again["token_endpoint_auth_method"] == "none")
        #expect(ConsoleField.lines(again["redirect_uris"] ?? "") == addresses)
        // Nothing was done by itself.
        #expect(try await house.store.client(clientID: "shop", in: house.qa.id) == nil)
        // The list is as it was for whoever comes to it otherwise.
        #expect(try await !browser.get(Self.root + "/clients").text.contains("value=\"shop\""))
        // With what the page carries now: its own token among it.
        let few = again.merging(["redirect_uris": addresses[0]]) { $1 }
        let made = try await browser.submit(create, few)
        #expect(made.status == .seeOther)
        #expect(try await house.store.client(clientID: "shop", in: house.qa.id) != nil)
    }

    @Test("what was sent since is not there again, nor in the place of something pressed later")
    func sent() async throws {
        var browser = try await late()
        let create = Self.root + "/test-keys/create"
        let fields = ["name": "typed-before", "alg": "ES256"]
        try await lose(&browser, create, fields)
        let place = try await comeBack(&browser)
        #expect(try await browser.get(place).text.contains("typed-before"))
        _ = try await browser.submit(create, fields)
        #expect(try await !browser.get(place).text.contains(Self.words))
        house.pages.clock.advance(by: .minutes(6))
        try await lose(&browser, create, fields)
        // An act without fields: whoever comes back comes back for that.
        try await lose(&browser, Self.root + "/encryption-keys/rotate", [:])
        #expect(try await comeBack(&browser) == Self.root + "/encryption-keys")
        #expect(try await !browser.get(place).text.contains(Self.words))
    }

    @Test("a project's document of a megabyte is whole again, also when it was to be applied")
    func document() async throws {
        var browser = try await late()
        let state = Self.root + "/state"
        let document =
            "projects:\n  - name: qa\n" + String(repeating: "# a comment\n", count: 60_000)
        for (act, more) in [
            ("plan", [:]), ("apply", ["seal": "AAAA", "confirmation": "qa"]),
        ] as [(String, [String: String])] {
            house.pages.clock.advance(by: .minutes(6))
            let fields = more.merging(["document": document]) { $1 }
            try await lose(&browser, "\(state)/\(act)", fields)
            let place = try await comeBack(&browser)
            #expect(place == state + "?typed=1")
            let back = try await browser.get(place).text
            #expect(back.contains(Self.words) && back.contains(document))
        }
    }

    @Test("secrets come to no page, and the name that confirms is typed once more")
    func neverShown() async throws {
        var browser = try await late()
        let create = Self.root + "/identity-providers/upstream/create"
        let secret = "s3cr3t-of-the-provider"
        let page = try await browser.get(Self.root + "/identity-providers").text
        var fields = try UntouchedForm.fields(to: create, in: page)
        #expect(fields["client_secret"]?.isEmpty == true)
        (fields["identifier"], fields["client_secret"]) = ("acme", secret)
        try await lose(&browser, create, fields)
        var place = try await comeBack(&browser)
        let on = try #require(try await browser.get(place).location)
        let back = try await browser.get(on).text
        #expect(back.contains(Self.words) && back.contains("value=\"acme\""))
        #expect(!back.contains(secret))
        house.pages.clock.advance(by: .minutes(6))
        // A removal: its page is the way back, without what confirms it.
        try await house.person("bea", in: house.qa)
        let remove = Self.root + "/people/bea/remove"
        let seal = try house.seal(try await browser.get(remove))
        try await lose(&browser, remove, ["seal": seal, "confirmation": "bea-is-typed"])
        place = try await comeBack(&browser)
        let confirm = try await browser.get(place).text
        #expect(!confirm.contains("bea-is-typed") && !confirm.contains(Self.words))
        #expect(!confirm.contains(seal))
        #expect(try await browser.submit(remove, ["confirmation": "bea"]).status != .seeOther)
    }

    @Test("somebody else in that browser, and they in another, see nothing of it")
    func others() async throws {
        _ = try await house.administrator(.owner, named: "paul")
        var olga = try await late()
        let create = Self.root + "/test-keys/create"
        try await lose(&olga, create, ["name": "typed-by-olga", "alg": "ES256"])
        let page = Self.root + "/test-keys?typed=1"
        // She, elsewhere.
        var elsewhere = house.pages.browser()
        _ = try await elsewhere.get("/sign-in?next=console")
        _ = try await elsewhere.submit(
            "/sign-in",
            ["username": "olga", "password": "correct horse battery staple", "next": "console"])
        let hers = try await elsewhere.get(page)
        #expect(hers.status == .ok && !hers.text.contains("typed-by-olga"))
        // Somebody else, where she typed it.
        var same = olga
        same.cookies = same.cookies.filter { !$0.key.contains("session") }
        _ = try await comeBack(&same, as: "paul")
        let theirs = try await same.get(page)
        #expect(theirs.status == .ok && !theirs.text.contains("typed-by-olga"))
        // She, there.
        let place = try await comeBack(&olga)
        #expect(try await olga.get(place).text.contains("typed-by-olga"))
    }

    @Test("it waits for ten minutes, sealed, and the next form takes its place")
    func bounded() async throws {
        var browser = try await late()
        let create = Self.root + "/test-keys/create"
        for number in 0..<5 {
            try await lose(&browser, create, ["name": "typed-\(number)", "alg": "ES256"])
        }
        let engine = house.engine
        let kept = try await engine.query(
            "SELECT payload FROM challenges WHERE purpose = $1", "typed_form"
        ).compactMap { row -> String? in
            guard case .text(let text)? = row.values.first else { return nil }
            return text
        }
        #expect(kept.count == 1)
        let bytes = try #require(kept.first.flatMap { Base64URL.decode($0) })
        #expect(!String(decoding: bytes, as: UTF8.self).contains("typed"))
        #expect(kept.first?.contains("typed") == false)
        let place = try await comeBack(&browser)
        let page = try await browser.get(place).text
        #expect(page.contains("typed-4") && !page.contains("typed-3"))
        // It can be looked at again, as a page that is loaded anew.
        #expect(try await browser.get(place).text.contains("typed-4"))
        house.pages.clock.advance(by: .minutes(11))
        let late = try await browser.get(place)
        #expect(late.status == .ok && !late.text.contains("typed-4"))
        #expect(!late.text.contains(Self.words))
    }

    @Test("a form that stands on the page of another thing is found there")
    func ledOn() async throws {
        var browser = try await late()
        // That of a custom service stands on the page of all identity providers.
        let all = try await browser.get(Self.root + "/identity-providers").text
        let custom = Self.root + "/identity-providers/custom/create"
        var fields = try UntouchedForm.fields(to: custom, in: all)
        #expect(fields["id"]?.isEmpty == true)
        fields["id"] = "typed-by-olga"
        try await lose(&browser, custom, fields)
        let place = try await comeBack(&browser)
        let on = try #require(try await browser.get(place).location)
        let page = try await browser.get(on)
        #expect(page.text.contains("value=\"typed-by-olga\""))
    }

    @Test("of several forms of one page the one comes back that was sent, with what it rested on")
    func several() async throws {
        var browser = try await late()
        let page = try await browser.get(Self.root + "/settings").text
        let actions = page.matches(of: /action="(\/console\/projects\/qa\/settings\/[^"]*)"/)
        #expect(Set(actions.map(\.output.1)).count > 1)
        let typeable = Set(
            page.matches(of: /name="([a-z_]+)" (?:value="[^"]*"|rows="2") maxlength/)
                .map { String($0.output.1) })
        var found: (action: String, name: String)?
        for action in actions.map({ String($0.output.1) }) where found == nil {
            let fields = try UntouchedForm.fields(to: action, in: page)
            guard fields[ConsoleShown.field] != nil else { continue }
            found = fields.keys.sorted().first { typeable.contains($0) }.map { (action, $0) }
        }
        let (action, name) = try #require(found)
        var fields = try UntouchedForm.fields(to: action, in: page)
        let shown = try #require(fields[ConsoleShown.field])
        fields[name] = "typed-by-olga"
        try await lose(&browser, action, fields)
        // Somebody else changes something meanwhile.
        var project = house.qa
        project.policy.accessTokenLifetime = 123
        #expect(try await house.store.save(project))
        let place = try await comeBack(&browser)
        let back = try await browser.get(place).text
        #expect(back.matches(of: /typed-by-olga/).count == 1)
        let again = try UntouchedForm.fields(to: action, in: back)
        #expect(again[name] == "typed-by-olga" && again[ConsoleShown.field] == shown)
    }

    @Test("a new project is named on the first page, and its name is there again")
    func project() async throws {
        var browser = try await late()
        house.pages.clock.advance(by: .minutes(31))
        try await lose(&browser, "/console/create", ["name": "typed-by-olga"])
        _ = try await browser.get("/sign-in?next=console&again=1")
        _ = try await browser.submit(
            "/sign-in",
            ["username": "olga", "password": "correct horse battery staple", "next": "console"])
        let hall = try await browser.get("/console")
        #expect(hall.status == .ok && hall.text.contains("typed-by-olga"))
        #expect(try await !browser.get("/console").text.contains("typed-by-olga"))
    }
}
