// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import Storage
import Support
import Testing

@testable import HTTPServer

/// Who people are, what clients are, and what a project is: changed in the console, and taken back.
@Suite struct ConsoleDetailsTests {
    private let root = "/console/projects/default"

    private func claims(_ house: ConsoleHouse, _ name: String) async throws -> PersonClaims {
        try await house.pages.person(name).claims
    }

    // MARK: People

    @Test("a person is made once, with groups, and without a password")
    func makes() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.projectAdministrator, in: house.home)
        let fields = [
            "username": "Bea", "name": "Bea Baker", "email": "bea@example.com",
            "groups": "staff\r\n\r\n night ",
        ]
        let made = try await browser.submit(root + "/people/create", fields)
        let bea = try await house.pages.person("bea")
        #expect(made.location == "\(root)/people/\(bea.id)?done=personCreated")
        #expect(bea.claims.groups == ["staff", "night"] && bea.claims.name == "Bea Baker")
        #expect(try await house.store.credentials.credentials(of: bea.id).isEmpty)
        _ = try await browser.get(root + "/people")
        let again = try await browser.submit(root + "/people/create", fields)
        #expect(
            again.status == .conflict
                && again.text.contains("A person with this username already exists"))
        for (name, value) in [("username", ""), ("username", "a b\u{7}"), ("email", "nobody")] {
            var wrong = fields
            wrong["username"] = "carla"
            wrong[name] = value
            let answer = try await browser.submit(root + "/people/create", wrong)
            #expect((400..<500).contains(answer.status.code), "\(name)")
            // What was typed is there still.
            #expect(answer.text.contains("Bea Baker"), "\(name)")
        }
        #expect(try await house.store.people.person(username: "carla", in: house.home.id) == nil)
    }

    @Test("claims and groups are changed, what was not touched stays, and it is taken back")
    func changes() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        let before = try await claims(house, "bea")
        var browser = try await house.administrator(.projectAdministrator, in: house.home)
        let path = "\(root)/people/\(bea.id)/details"
        let saved = try await browser.submit(
            path + "/change",
            [
                "name": "Bea Baker", "email": "", "email_verified": "1", "groups": "staff",
                "locale": "de-AT",
            ])
        #expect(saved.location == path + "?done=saved")
        let after = try await claims(house, "bea")
        #expect(after.name == "Bea Baker" && after.email == nil && after.locale == "de-AT")
        #expect(after.groups == ["staff"] && after.emailVerified == true)
        // Nothing was said of it, and nothing is.
        #expect(after.phoneNumberVerified == nil)
        #expect(try await browser.get(path).text.contains("data-action=\"undo\""))
        let undone = try await browser.submit(path + "/undo", [:])
        #expect(undone.location == path + "?done=undone")
        var now = try await claims(house, "bea")
        now.updatedAt = before.updatedAt
        #expect(now == before)
        #expect(try await browser.submit(path + "/undo", [:]).status == .conflict)
    }

    @Test("an error is displayed at its field, with the submitted value, and nothing is changed")
    func wrong() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        let before = try await claims(house, "bea")
        var browser = try await house.administrator(.owner)
        let path = "\(root)/people/\(bea.id)/details/change"
        for (field, value) in [
            ("email", "nobody"), ("picture", "javascript:alert(1)"),
            ("alt_security_identities", "Anna"),
        ] {
            let answer = try await browser.submit(
                path, ["name": "Bea Baker", "email_verified": "1", field: value])
            #expect(answer.status == .unprocessableContent, "\(field)")
            #expect(answer.text.contains("id=\"change-\(field)-wrong\""), "\(field)")
            #expect(answer.text.contains("Bea Baker"), "\(field)")
        }
        #expect(try await claims(house, "bea") == before)
    }

    @Test("a change of one person is not taken back on the page of another")
    func othersUndo() async throws {
        let house = try await ConsoleHouse()
        let (bea, carla) = (try await house.person("bea"), try await house.person("carla"))
        var browser = try await house.administrator(.owner)
        let path = "\(root)/people"
        _ = try await browser.submit(
            "\(path)/\(bea.id)/details/change", ["name": "B", "email_verified": "1"])
        let answer = try await browser.submit("\(path)/\(carla.id)/details/undo", [:])
        #expect(answer.status == .conflict)
        #expect(try await claims(house, "carla").name == "Person carla")
    }

    @Test("an administrator cannot edit a person with a wider role")
    func standing() async throws {
        let house = try await ConsoleHouse()
        _ = try await house.administrator(.owner, named: "pia")
        let pia = try await house.pages.person("pia").id
        var browser = try await house.administrator(.projectAdministrator, in: house.home)
        let answer = try await browser.submit(
            "\(root)/people/\(pia)/details/change", ["email": "mine@example.com"])
        #expect(answer.status == .forbidden)
        #expect(try await claims(house, "pia").email == nil)
    }

    // MARK: Clients and projects

    @Test("every member of a client is changed, emptied and taken back; its secret stays")
    func client() async throws {
        let house = try await ConsoleHouse()
        let shop = try await house.client("shop")
        var browser = try await house.administrator(.owner)
        let path = root + "/clients/shop"
        func kept() async throws -> Client {
            try #require(try await house.store.clients.client(clientID: "shop", in: house.home.id))
        }
        let saved = try await browser.submit(
            path + "/change",
            [
                "client_name": "Shop", "audience": "https://api.example", "default_max_age": "600",
                "dpop_bound_access_tokens": "1",
                "grant_types": "authorization_code\nrefresh_token",
                "web_handoff_uris": "https://shop.example/in",
            ])
        #expect(saved.location == path + "?done=saved")
        let changed = try await kept().metadata
        #expect(changed.audience == "https://api.example" && changed.defaultMaxAge == 600)
        #expect(changed.bindsAccessTokens && changed.grantTypes.count == 2)
        #expect(try await kept().secretHash == shop.secretHash)
        _ = try await browser.submit(path + "/undo", [:])
        #expect(try await kept() == shop)
        for (field, value) in [
            ("grant_types", "password"), ("default_max_age", "soon"), ("jwks", "{\"keys\":[]}"),
            ("jwks", "keys"), ("redirect_uris", ""), ("logo_uri", "ftp://x"),
        ] {
            let answer = try await browser.submit(path + "/change", [field: value])
            #expect(answer.status == .unprocessableContent, "\(field)")
            #expect(answer.text.contains("aria-invalid"), "\(field)")
        }
        #expect(try await kept() == shop)
    }

    @Test("a project becomes one of production, and one of development again")
    func environment() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.projectAdministrator, in: house.qa)
        let path = "/console/projects/qa/settings"
        func kept() async throws -> Project.Environment? {
            try await house.store.projects.project(house.qa.id)?.environment
        }
        let saved = try await browser.submit(
            path + "/environment", ["settings": "environment", "environment": "production"])
        #expect(saved.location == path + "?done=saved")
        #expect(try await kept() == .production)
        let refused = try await browser.submit(
            path + "/environment", ["settings": "environment", "environment": "staging"])
        #expect(refused.status == .unprocessableContent)
        _ = try await browser.submit(path + "/environment/undo", [:])
        #expect(try await kept() == .development)
    }

    @Test("associated apps and what clients may ask are settings with errors at their fields")
    func settings() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        func policy() async throws -> ProjectPolicy {
            try #require(try await house.store.projects.project(house.home.id)).policy
        }
        let apps = root + "/app-registration/associated-apps"
        let wrong = try await browser.submit(
            apps, ["settings": "associated-apps", "webcredentials": "com.example"])
        #expect(wrong.status == .unprocessableContent && wrong.text.contains("-wrong"))
        _ = try await browser.submit(
            apps,
            ["settings": "associated-apps", "webcredentials": "ABCDE12345.com.example.notes"])
        let kept = try await policy().associatedApps.webCredentials
        #expect(kept == ["ABCDE12345.com.example.notes"])
        let approvals = root + "/approvals/approvals"
        for (field, value) in [("expires_in", "5"), ("push_url", "http://push.example/x")] {
            var form = ["settings": "approvals", "enabled": "1", "expires_in": "300"]
            form[field] = value
            let answer = try await browser.submit(approvals, form)
            #expect(answer.status == .unprocessableContent, "\(field)")
        }
        _ = try await browser.submit(
            approvals, ["settings": "approvals", "enabled": "1", "expires_in": "120"])
        let rules = try await policy().registration.approvals
        #expect(rules.enabled && rules.expiresIn == 120)
    }

    @Test("a rule of a list is taken back, and only on its own page")
    func rules() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.projectAdministrator, in: house.home)
        let path = root + "/versions/systems"
        for (name, version) in [("ios", "17"), ("android", "12")] {
            _ = try await browser.submit(
                path + "/create", ["name": name, "minimum_version": version])
        }
        func oldest() async throws -> [String] {
            let project = try #require(try await house.store.projects.project(house.home.id))
            return project.policy.registration.systems.map(\.minimumVersion)
        }
        let saved = try await browser.submit(path + "/ios/change", ["minimum_version": ""])
        #expect(saved.location == path + "/ios?done=saved")
        #expect(try await oldest() == ["", "12"])
        #expect(try await browser.get(path + "/ios").text.contains("data-action=\"undo\""))
        #expect(try await browser.submit(path + "/android/undo", [:]).status == .conflict)
        let undone = try await browser.submit(path + "/ios/undo", [:])
        #expect(undone.location == path + "/ios?done=undone")
        #expect(try await oldest() == ["17", "12"])
        #expect(try await browser.submit(path + "/nothing/undo", [:]).status == .notFound)
    }

    @Test("a project leaves as a document without secrets, and only where the table allows it")
    func document() async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        try await house.person("dora", in: house.qa)
        var browser = try await house.administrator(.auditor, in: house.home)
        let answer = try await browser.get(root + "/export")
        #expect(
            answer.response.headers[.contentDisposition]
                == "attachment; filename=\"default.json\"")
        #expect(answer.text.contains("bea") && !answer.text.contains("dora"))
        #expect(try await browser.get("/console/projects/qa/export").status == .notFound)
    }
}
