// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import Storage
import Support
import Testing

/// State documents in the console: compared, applied, and refused with their lines.
@Suite struct ConsoleStateTests {
    private let state = "/console/projects/qa/state"

    private static let document = """
        projects:
          - name: qa
            policy:
              access_token_lifetime: 77
            users:
              - username: bea
                groups: [staff]
        """

    private func lifetime(_ house: ConsoleHouse) async throws -> Int64? {
        try await house.store.projects.project(named: "qa")?.policy.accessTokenLifetime
    }

    private func plan(
        _ browser: inout Browser, _ document: String = document
    ) async throws -> Answer {
        _ = try await browser.get(state)
        return try await browser.submit(state + "/plan", ["document": document])
    }

    @Test("what would change is shown, then the name is typed, and it is done once")
    func applied() async throws {
        let house = try await ConsoleHouse()
        let before = try await lifetime(house)
        var browser = try await house.administrator(.projectAdministrator, in: house.qa)
        let planned = try await plan(&browser)
        #expect(planned.status == .ok)
        for word in ["policy.access_token_lifetime", "→ 77", "bea", "data-action=\"apply\""] {
            #expect(planned.text.contains(word), "\(word)")
        }
        #expect(try await lifetime(house) == before)
        let done = try await browser.submit(
            state + "/apply",
            [
                "document": Self.document, "seal": try house.seal(planned), "confirmation": "qa",
            ])
        #expect(done.location == state + "?done=applied")
        #expect(try await lifetime(house) == 77)
        let bea = try await house.store.people.person(username: "bea", in: house.qa.id)
        #expect(bea?.claims.groups == ["staff"])
        let again = try await plan(&browser)
        #expect(again.text.contains("No changes: the project already matches"))
        #expect(!again.text.contains("data-action=\"apply\""))
    }

    @Test("without the name, a seal of this plan, or with another document, nothing is done")
    func unconfirmed() async throws {
        let house = try await ConsoleHouse()
        let before = try await lifetime(house)
        var browser = try await house.administrator(.owner)
        let seal = try house.seal(try await plan(&browser))
        let other = Self.document.replacing("77", with: "78")
        for (document, seal, typed) in [
            (Self.document, seal, ""), (Self.document, seal, "default"),
            (Self.document, "", "qa"), (Self.document, "AAAA", "qa"), (other, seal, "qa"),
        ] {
            let answer = try await browser.submit(
                state + "/apply",
                ["document": document, "seal": seal, "confirmation": typed])
            #expect(answer.status == .conflict, "\(typed)")
            // The new difference is displayed for confirmation.
            #expect(answer.text.contains("data-action=\"apply\""))
        }
        // What was shown is not what would be done any more.
        var qa = try #require(try await house.store.projects.project(named: "qa"))
        qa.policy.accessTokenLifetime = 99
        _ = try await house.store.projects.save(qa)
        let late = try await browser.submit(
            state + "/apply",
            ["document": Self.document, "seal": seal, "confirmation": "qa"])
        #expect(late.status == .conflict && late.text.contains("99 → 77"))
        #expect(try await lifetime(house) == 99 && before != 99)
    }

    @Test("a seal of another session, or an old one, is stale")
    func stale() async throws {
        let house = try await ConsoleHouse()
        var olga = try await house.administrator(.owner)
        let seal = try house.seal(try await plan(&olga))
        var paul = try await house.administrator(.owner, named: "paul")
        _ = try await paul.get(state)
        let fields = ["document": Self.document, "seal": seal, "confirmation": "qa"]
        #expect(try await paul.submit(state + "/apply", fields).status == .conflict)
        house.pages.clock.advance(by: .minutes(6))
        // A sign-in of the last minutes is asked for.
        let asked = try await olga.submit(state + "/apply", fields)
        #expect(asked.location == "/sign-in?next=resume&again=1")
        #expect(try await lifetime(house) != 77)
    }

    @Test("whatever is wrong is listed with its line, in the language of the page")
    func wrong() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        browser.language = "de"
        let document = """
            projects:
              - name: qa
                policy:
                  access_token_lifetime: 1
                clients:
                  - client_id: shop
                    redirect_uris: ["ftp://x"]
            """
        let answer = try await plan(&browser, document)
        #expect(answer.status == .unprocessableContent)
        let rows = answer.text.matches(of: /(?s)<tr>.*?<\/tr>/).map {
            // A cell ends with a new line.
            $0.output.filter { !$0.isNewline }
        }
        for (line, path, words) in [
            ("4", "policy.access_token_lifetime", "von 10 bis 86400"),
            ("7", "redirect_uris", "muss eine vollständige Adresse sein"),
        ] {
            let isThere = rows.contains {
                $0.contains(">\(line)<") && $0.contains(path) && $0.contains(words)
            }
            #expect(isThere, "\(line) \(path)")
        }
        // What was pasted is still there.
        #expect(answer.text.contains("client_id: shop"))
        let torn = try await plan(&browser, "projects:\n  - name: [qa\n")
        #expect(torn.status == .unprocessableContent)
        #expect(torn.text.contains("weder gültiges YAML noch gültiges JSON"))
    }

    @Test(
        "a document about anything but this project is refused for every role",
        arguments: [
            #"{"projects":[{"name":"default","policy":{"access_token_lifetime":77}}]}"#,
            #"{"projects":[{"name":"qa"},{"name":"default"}]}"#,
            #"{"projects":[{"name":"new"}]}"#, #"{"projects":[]}"#, #"{"projects":null}"#, "{}",
            #"{"projects":[{"policy":{}}]}"#, #"{"projects":[{"name":["qa"]}]}"#, "[]", "1",
            #"{"projects":[{"name":"qa"}],"administrators":[{"username":"eva","role":"owner"}]}"#,
            "",
        ])
    func others(_ document: String) async throws {
        let house = try await ConsoleHouse()
        for role in [Administrator.Role.owner, .projectAdministrator] {
            var browser = try await house.administrator(
                role, in: role == .owner ? nil : house.qa, named: "a-\(role.rawValue.count)")
            #expect(try await plan(&browser, document).status == .conflict)
            let applied = try await browser.submit(
                state + "/apply",
                ["document": document, "seal": "AAAA", "confirmation": "qa"])
            #expect(applied.status == .conflict)
        }
        #expect(try await house.store.projects.project(named: "new") == nil)
        #expect(
            try await house.store.projects.project(house.home.id)?.policy.accessTokenLifetime != 77)
    }

    @Test("a role that can only export the document is offered no import")
    func auditor() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.auditor, in: house.qa)
        let page = try await browser.get(state).text
        #expect(page.contains("data-action=\"export\"") && !page.contains("<textarea"))
        _ = try await browser.get("/console/projects/qa")
        for act in ["plan", "apply"] {
            let answer = try await browser.submit(
                state + "/" + act, ["document": Self.document, "confirmation": "qa"])
            #expect(answer.status == .forbidden, "\(act)")
        }
    }

    @Test("a document does not change a person with a wider role than its sender")
    func higherRole() async throws {
        let house = try await ConsoleHouse()
        _ = try await house.administrator(.owner)
        var browser = try await house.administrator(
            .projectAdministrator, in: house.home, named: "paul")
        let place = "/console/projects/default/state"
        _ = try await browser.get(place)
        let answer = try await browser.submit(
            place + "/plan",
            [
                "document":
                    #"{"projects":[{"name":"default","users":[{"username":"olga","name":"X"}]}]}"#
            ])
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("has a higher role than yours"))
    }
}
