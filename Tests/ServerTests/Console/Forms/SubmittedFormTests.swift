// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import StorageSQL
import Support
import Testing

@testable import AdminConsole
@testable import HTTPServer
@testable import WebPages

/// A form of the console that was interrupted by a sign-in is done after it, or is shown again.
@Suite struct SubmittedFormTests {
    private let house: ConsoleHouse
    private static let root = "/console/projects/qa"
    private static let words = "Nothing has been changed yet. Your input has been restored"

    init() async throws { house = try await ConsoleHouse() }

    /// An administrator whose sign-in is too old for every form.
    private func late(_ name: String = "olga") async throws -> Browser {
        let browser = try await house.administrator(.owner, named: name)
        house.pages.clock.advance(by: .minutes(31))
        return browser
    }

    @Test("a person is disabled after the sign-in, and the page says so")
    func disables() async throws {
        try await house.person("bea", in: house.qa)
        var browser = try await late()
        let page = Self.root + "/people/bea"
        try await browser.interrupted(page + "/disable")
        let again = try await browser.signInAgain("olga")
        // A page that is shown changes nothing.
        let bea = try await house.store.people.person(username: "bea", in: house.qa.id)
        #expect(bea?.disabled == false)
        let done = try await browser.sendOn(again)
        #expect(done.location == page + "?done=disabled")
        #expect(
            try await house.store.people.person(username: "bea", in: house.qa.id)?.disabled == true)
        #expect(try await browser.get(page + "?done=disabled").text.contains("Disabled. You can"))
        // The console opens as it does otherwise.
        #expect(try await browser.get("/console").status == .ok)
    }

    @Test("a person is invited after the sign-in, and the link is shown")
    func invites() async throws {
        try await house.person("bea")
        var browser = try await late()
        try await browser.interrupted("/console/projects/default/people/bea/invitation")
        let again = try await browser.signInAgain("olga")
        let shown = try await browser.sendOn(again)
        #expect(shown.status == .ok && shown.text.contains("/invitation?token="))
        let bea = try await house.store.people.person(username: "bea", in: house.home.id)
        #expect(bea?.invitedUntil != nil)
    }

    @Test("a client is made after the sign-in, with all that was typed")
    func makesClient() async throws {
        var browser = try await late()
        let create = Self.root + "/clients/create"
        let name = "Ärger & <Söhne> \"=\" 'x'"
        try await browser.interrupted(
            create,
            [
                "client_id": "shop", "client_name": name, "token_endpoint_auth_method": "none",
                "redirect_uris": "https://shop.example/a\r\nhttps://shop.example/b",
            ])
        #expect(try await house.store.clients.client(clientID: "shop", in: house.qa.id) == nil)
        let done = try await browser.sendOn(try await browser.signInAgain("olga"))
        #expect(done.location == Self.root + "/clients/shop?done=clientCreated")
        let client = try #require(
            try await house.store.clients.client(clientID: "shop", in: house.qa.id))
        #expect(client.metadata.clientName == name)
        #expect(
            client.metadata.redirectURIs
                == ["https://shop.example/a", "https://shop.example/b"])
    }

    /// What the page displays of the form: labels with values.
    private func displayed(_ page: Answer) -> [String] {
        page.text.matches(
            of: #/<li><span class="hint">([^<]*)<\/span><span>([^<]*)<\/span><\/li>/#
        ).map { "\($0.1)\($0.2)" }
    }

    @Test("the page that confirms a form displays its labels, choices and no hidden fields")
    func displaysLabels() async throws {
        var browser = try await house.administrator(.owner)
        let page = try await browser.get(Self.root + "/clients").text
        let create = Self.root + "/clients/create"
        var fields = try UntouchedForm.fields(to: create, in: page)
        #expect(fields[FormLabels.field]?.isEmpty == false)
        fields[FormLabels.field] = fields[FormLabels.field]?.replacing("&amp;", with: "&")
        fields["client_id"] = "shop"
        fields["client_name"] = "The shop"
        fields["token_endpoint_auth_method"] = "none"
        fields["redirect_uris"] = "https://shop.example/a"
        house.pages.clock.advance(by: .minutes(31))
        try await browser.interrupted(create, fields)
        let confirmation = try await browser.signInAgain("olga")
        let shown = displayed(confirmation)
        #expect(shown.contains("Client ID: shop") && shown.contains("Name: The shop"), "\(shown)")
        for name in ["client_id", "client_name", FormSnapshot.field, FormLabels.field, "settings"] {
            #expect(!shown.contains { $0.hasPrefix("\(name):") }, "\(name)")
        }
        // The path is at the end of the form, below the values.
        let text = confirmation.text.replacing("&#x2F;", with: "/")
        let path = try #require(text.firstRange(of: "/ clients / create"))
        let value = try #require(text.firstRange(of: "<span>The shop</span>"))
        #expect(value.upperBound < path.lowerBound)
        #expect(try await browser.sendOn(confirmation).location?.contains("/shop") == true)
        #expect(try await house.store.clients.client(clientID: "shop", in: house.qa.id) != nil)
    }

    @Test("labels: choices and boxes in words, groups of inputs, and never a secret")
    func labels() throws {
        let language = try #require(house.pages.web.translations.languages["en"])
        var secret = ConsoleInput("secret_key", "Secret key")
        secret.isSecret = true
        let form = ConsoleForm(
            "change", to: "/", button: "Save",
            inputs: [
                ConsoleInput(
                    "role", "Role", .choice([("owner", "Owner"), ("support", "Support")])),
                ConsoleInput("on", "Active", .flag), ConsoleInput("off", "Locked", .flag),
                ConsoleInput("kinds", "Kinds", .boxes([("usb", "USB key")])), secret,
                ConsoleInput("access", "Access", .access(ClientAccessInput(nil))),
                ConsoleInput("id", "", .hidden, value: "7"),
            ])
        let inputs = try #require(form.values["inputs"] as? [[String: Any]])
        let sent = try #require(
            inputs.first { $0["field"] as? String == FormLabels.field }?["value"] as? String)
        #expect(!sent.contains("secret") && !sent.contains("Secret"))
        var text = "\(FormLabels.field)=" + FormText.encode(sent)
        text += "&role=owner&on=1&kinds=&kinds.usb=1&secret_key=hidden&id=7"
        text += "&access=only&access.groups=staff"
        let parameters = try FormParameters(Array(text.utf8))
        let rows = try #require(FormLabels(parameters).rows(of: parameters, in: language))
        #expect(
            rows.map { "\($0.label): \($0.value)" } == [
                "Role: Owner", "Active: yes", "Kinds: USB key: yes",
                "Access: Only these groups and people", "Access Groups, one per line: staff",
            ])
        let forged = try FormParameters(
            Array("\(FormLabels.field)=tsecret_key%3DKey&secret_key=hidden".utf8))
        #expect(FormLabels(forged).rows(of: forged, in: language)?.isEmpty != false)
    }

    @Test("a removal that asks for a name comes back filled in, says so, and goes when it is sent")
    func removesClient() async throws {
        try await house.client("shop", in: house.qa)
        var browser = try await late()
        let remove = Self.root + "/clients/shop/remove"
        _ = try await browser.signInAgain("olga")
        let seal = try house.seal(try await browser.get(remove))
        house.pages.clock.advance(by: .minutes(6))
        try await browser.interrupted(remove, ["seal": seal, "confirmation": "shop"])
        let back = try await browser.signInAgain("olga")
        #expect(back.location == remove + "?typed=1")
        let page = try await browser.get(remove + "?typed=1")
        #expect(page.text.contains(Self.words))
        let fields = try UntouchedForm.fields(to: remove, in: page.text)
        #expect(fields["confirmation"] == "shop" && fields["seal"] != seal)
        #expect(try await house.store.clients.client(clientID: "shop", in: house.qa.id) != nil)
        let gone = try await browser.submit(remove, fields)
        #expect(gone.status == .seeOther)
        #expect(try await house.store.clients.client(clientID: "shop", in: house.qa.id) == nil)
    }

    @Test("a form as long as a form may be is sent whole, and is not done before")
    func long() async throws {
        var browser = try await late()
        let create = Self.root + "/clients/create"
        // 64 KiB are taken of a form: more is refused before anything is stored.
        let filler = String(repeating: "a", count: 100)
        let addresses = (0..<400).map { "https://shop.example/\(filler)\($0)" }
        let fields = ["client_id": "shop", "redirect_uris": addresses.joined(separator: "\r\n")]
        try await browser.interrupted(create, fields)
        let page = try Resumption(try await browser.signInAgain("olga"))
        #expect(page.action == create && page.fields["client_id"] == "shop")
        #expect(ConsoleField.lines(page.fields["redirect_uris"] ?? "") == addresses)
        #expect(page.fields["form_token"] == browser.formToken)
        #expect(try await house.store.clients.client(clientID: "shop", in: house.qa.id) == nil)
    }

    @Test("what was sent since is not sent again, and the form pressed last counts")
    func sent() async throws {
        var browser = try await late()
        let create = Self.root + "/test-keys/create"
        let fields = ["name": "typed-before", "alg": "ES256"]
        try await browser.interrupted(create, fields)
        _ = try await browser.get(Browser.resumed)
        _ = try await browser.submit(
            "/sign-in",
            [
                "username": "olga", "password": "correct horse battery staple",
                "next": "console",
            ])
        // Who goes another way is not surprised: the page has it, and does nothing.
        let place = try #require(try await browser.get("/console").location)
        #expect(place == Self.root + "/test-keys?typed=1")
        #expect(try await browser.get(place).text.contains("typed-before"))
        _ = try await browser.submit(create, fields)
        #expect(try await !browser.get(place).text.contains(Self.words))
        #expect(try await browser.get("/resume").location == "/account")
        house.pages.clock.advance(by: .minutes(6))
        try await browser.interrupted(create, fields)
        try await browser.interrupted(Self.root + "/encryption-keys/rotate")
        let again = try await browser.signInAgain("olga")
        #expect(try Resumption(again).action == Self.root + "/encryption-keys/rotate")
    }

    @Test("a project's document of a megabyte is sent whole; one to be applied is shown again")
    func document() async throws {
        var browser = try await late()
        let state = Self.root + "/state"
        let document =
            "projects:\n  - name: qa\n" + String(repeating: "# a comment\n", count: 60_000)
        try await browser.interrupted(state + "/plan", ["document": document])
        let again = try await browser.signInAgain("olga")
        #expect(again.text.contains("action=\"\(state)/plan\"") && again.text.contains(document))
        house.pages.clock.advance(by: .minutes(6))
        try await browser.interrupted(
            state + "/apply", ["document": document, "seal": "AAAA", "confirmation": "qa"])
        let back = try await browser.signInAgain("olga")
        #expect(back.location == state + "?typed=1")
        let page = try await browser.get(state + "?typed=1").text
        #expect(page.contains(Self.words) && page.contains(document))
    }

    @Test("a form in which a secret was typed is shown again without it; an empty one is sent")
    func secrets() async throws {
        var browser = try await late()
        let create = Self.root + "/identity-providers/upstream/create"
        let secret = "s3cr3t-of-the-provider"
        _ = try await browser.signInAgain("olga")
        let list = try await browser.get(Self.root + "/identity-providers").text
        var fields = try UntouchedForm.fields(to: create, in: list)
        #expect(fields["secret_client_secret"]?.isEmpty == true)
        (fields["identifier"], fields["secret_client_secret"]) = ("acme", secret)
        house.pages.clock.advance(by: .minutes(6))
        try await browser.interrupted(create, fields)
        let back = try await browser.signInAgain("olga")
        let place = try #require(back.location)
        #expect(place == Self.root + "/identity-providers/upstream?typed=1")
        let on = try #require(try await browser.get(place).location)
        let shown = try await browser.get(on).text
        #expect(shown.contains(Self.words) && shown.contains("value=\"acme\""))
        #expect(!shown.contains(secret))
        house.pages.clock.advance(by: .minutes(6))
        (fields["secret_client_secret"], fields["form_token"]) = ("", nil)
        try await browser.interrupted(create, fields)
        #expect(
            try Resumption(try await browser.signInAgain("olga")).fields["identifier"] == "acme")
    }

    @Test("every field of the console's tables that holds a secret is one that is never stored")
    func secretFields() {
        let rules = ConsoleRulesPage.all.flatMap { page in
            page.settings.flatMap(\.fields) + page.lists.flatMap { $0.fields + $0.fixed }
        }
        let fields = rules + ConsoleClientFields.all + ConsoleClientFields.first
        let secrets = fields.filter { if case .secret = $0.kind { true } else { false } }
        #expect(Set(secrets.map(\.name)).count >= 3)
        for field in fields {
            let isSecret = secrets.contains { $0.name == field.name }
            #expect(InterruptedForm.isSecret(field.formName) == isSecret, "\(field.name)")
        }
        let new = ConsoleField("anything", "consoleName", .secret(isLong: false))
        #expect(InterruptedForm.isSecret(new.formName))
    }

    @Test("one form of each person is stored, sealed, for ten minutes, and none after it was sent")
    func bounded() async throws {
        var browser = try await late()
        let create = Self.root + "/test-keys/create"
        for number in 0..<5 {
            try await browser.interrupted(create, ["name": "typed-\(number)", "alg": "ES256"])
        }
        let kept = try await stored()
        #expect(kept.count == 1)
        let bytes = try #require(kept.first.flatMap { Base64URL.decode($0) })
        #expect(!String(decoding: bytes, as: UTF8.self).contains("typed"))
        #expect(kept.first?.contains("typed") == false)
        let again = try await browser.signInAgain("olga")
        #expect(try Resumption(again).fields["name"] == "typed-4")
        #expect(try await stored().isEmpty)
    }

    private func stored() async throws -> [String] {
        try await house.engine.query(
            "SELECT payload FROM challenges WHERE purpose = $1", "typed_form"
        ).compactMap { row -> String? in
            guard case .text(let text)? = row.values.first else { return nil }
            return text
        }
    }

    @Test("a form is sent with what it rested on, so others' changes since remain")
    func rested() async throws {
        var browser = try await late()
        _ = try await browser.signInAgain("olga")
        let page = try await browser.get(Self.root + "/settings").text
        let action = Self.root + "/settings/theme"
        var fields = try UntouchedForm.fields(to: action, in: page)
        let shown = try #require(fields[FormSnapshot.field])
        fields["display_name"] = "Typed by Olga"
        house.pages.clock.advance(by: .minutes(6))
        try await browser.interrupted(action, fields)
        // Another administrator changes another field concurrently.
        var project = house.qa
        project.theme.accent = "#123456"
        #expect(try await house.store.projects.save(project))
        house.pages.provider.tenants.invalidate()
        let again = try await browser.signInAgain("olga")
        #expect(try Resumption(again).fields[FormSnapshot.field] == shown)
        let done = try await browser.sendOn(again)
        #expect(done.location == Self.root + "/settings?done=saved")
        let theme = try #require(try await house.store.projects.project(house.qa.id)).theme
        #expect(theme.displayName == "Typed by Olga" && theme.accent == "#123456")
    }

    @Test("the last change is taken back after the sign-in that its undoing asked for")
    func undoes() async throws {
        var browser = try await house.administrator(.owner)
        let page = Self.root + "/settings"
        _ = try await browser.submit(
            page + "/theme", ["settings": "theme", "display_name": "Another"])
        house.pages.clock.advance(by: .minutes(6))
        try await browser.interrupted(page + "/theme/undo")
        let done = try await browser.sendOn(try await browser.signInAgain("olga"))
        #expect(done.location == page + "?done=undone")
        #expect(try await house.store.projects.project(house.qa.id)?.theme.displayName != "Another")
    }

    @Test("of several forms of one page the one is filled in that was sent")
    func several() async throws {
        var browser = try await late()
        _ = try await browser.signInAgain("olga")
        let page = Self.root + "/app-registration"
        let action = page + "/apple"
        var fields = try UntouchedForm.fields(to: action, in: try await browser.get(page).text)
        fields["device_check_team_id"] = "TYPED12345"
        fields["secret_device_check_key"] = "typed-secret"
        house.pages.clock.advance(by: .minutes(6))
        try await browser.interrupted(action, fields)
        #expect(try await browser.signInAgain("olga").location == page + "?typed=1")
        let back = try await browser.get(page + "?typed=1").text
        #expect(back.contains(Self.words) && !back.contains("typed-secret"))
        #expect(back.matches(of: /TYPED12345/).count == 1)
        let again = try UntouchedForm.fields(to: action, in: back)
        #expect(again[FormSnapshot.field] == fields[FormSnapshot.field])
        // The page is as it was for those who come to it otherwise.
        #expect(try await !browser.get(page).text.contains("TYPED12345"))
    }

    @Test("a new project is made after the sign-in; on the first page its name is there otherwise")
    func project() async throws {
        var browser = try await late()
        try await browser.interrupted("/console/create", ["name": "typed-by-olga"])
        _ = try await browser.get("/sign-in?next=console&again=1")
        _ = try await browser.submit(
            "/sign-in",
            ["username": "olga", "password": "correct horse battery staple", "next": "console"])
        let hall = try await browser.get("/console")
        #expect(hall.status == .ok && hall.text.contains("typed-by-olga"))
        #expect(try await !browser.get("/console").text.contains("typed-by-olga"))
        #expect(try await house.store.projects.project(named: "typed-by-olga") == nil)
        house.pages.clock.advance(by: .minutes(31))
        try await browser.interrupted("/console/create", ["name": "typed-by-olga"])
        _ = try await browser.sendOn(try await browser.signInAgain("olga"))
        #expect(try await house.store.projects.project(named: "typed-by-olga") != nil)
    }
}
