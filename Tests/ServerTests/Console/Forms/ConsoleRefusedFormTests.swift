// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import Storage
import Support
import Testing

/// Refused forms are displayed again with the submitted values, and their fields state what they
/// accept.
@Suite struct ConsoleRefusedFormTests {
    private let root = "/console/projects/default"

    @Test("a refused rotation of keys is displayed again with the submitted choice")
    func rotation() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let refused = try await browser.submit(
            root + "/keys/rotate", ["algorithm": "none", "at_once": "1"])
        #expect(refused.status != .seeOther)
        #expect(refused.text.contains("name=\"at_once\" value=\"1\" checked"))
    }

    @Test("a registration token for too many devices is refused in the reader's language")
    func uses() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        browser.language = "de"
        for uses in ["0", "1000001", "many"] {
            let refused = try await browser.submit(
                root + "/registration-tokens/create",
                ["label": "lab", "maximum_uses": uses, "hours": "24"])
            #expect(refused.text.contains("ganze Zahlen im angegebenen Bereich"), "\(uses)")
            #expect(refused.text.contains("1 bis 1000000."))
            #expect(refused.text.contains("value=\"\(uses)\""))
            #expect(refused.text.contains("value=\"lab\""))
        }
        let tokens = try await house.store.devices.deviceTokens(
            of: house.home.id, after: nil, limit: 9)
        #expect(tokens.isEmpty)
    }

    @Test("the expiry of a token is displayed to the minute, with the time zone")
    func expiry() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        _ = try await browser.submit(
            root + "/registration-tokens/create",
            ["label": "lab", "maximum_uses": "1", "hours": "1"])
        let end = CivilTime(house.pages.clock.now + .hours(1))
        let page = try await browser.get(root + "/registration-tokens").text
        #expect(page.contains("\(end.description.prefix(16)) UTC"))
    }

    @Test("a refused compliance report is displayed again with the submitted values")
    func compliance() async throws {
        let house = try await ConsoleHouse()
        let device = try await house.machine(of: try await house.person("bea"))
        var browser = try await house.administrator(.owner)
        let refused = try await browser.submit(
            "\(root)/devices/\(device.id)/compliance", ["state": "noncompliant", "hours": "9999"])
        #expect(refused.status != .seeOther)
        #expect(refused.text.contains("value=\"9999\""))
        #expect(refused.text.contains("<option value=\"noncompliant\" selected>"))
    }

    @Test("a refused invitation is displayed again with the submitted choice")
    func invitation() async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        var browser = try await house.administrator(.owner)
        let mail = "name=\"mail\" value=\"1\" checked"
        #expect(try await browser.get(root + "/people/bea").text.contains(mail))
        let refused = try await browser.submit(
            root + "/people/bea/invitation", ["days": "31"])
        #expect(refused.status == .unprocessableContent && !refused.text.contains(mail))
    }

    @Test("a group's page offers to remove members only if it lists some")
    func members() async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        var browser = try await house.administrator(.owner)
        _ = try await browser.submit(root + "/groups", ["group": "staff", "person": "bea"])
        let page = root + "/groups/staff"
        #expect(try await browser.get(page).text.contains("Remove a member"))
        let none = try await browser.get(page + "?search=zz").text
        #expect(none.contains("Add a member") && !none.contains("Remove a member"))
    }

    @Test("a number of seconds states its range and its duration")
    func seconds() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let policy = try await browser.get(root + "/token-policy").text
        #expect(policy.contains("Seconds, 10 to 86400 (1 d). Saved: 1 h."))
        let machines = try await browser.get(root + "/platform-sso").text
        #expect(machines.contains("Seconds, 3600 (1 h) to 31622400 (366 d). Saved: 18 h."))
        var auditor = try await house.administrator(.auditor, named: "udo")
        #expect(try await auditor.get(root + "/platform-sso").text.contains("64800 (18 h)"))
    }

    @Test("the title of a page names the project")
    func title() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        for project in ["default", "qa"] {
            let page = try await browser.get("/console/projects/\(project)/people").text
            #expect(page.contains("<title>People · \(project) · "), "\(project)")
        }
    }

    @Test("a refused form for a new entry is displayed before a long list")
    func order() async throws {
        let house = try await ConsoleHouse()
        for number in 1...12 { try await house.person("p\(number)") }
        var browser = try await house.administrator(.owner)
        func isFirst(_ page: String) throws -> Bool {
            let form = try #require(page.firstRange(of: "data-action=\"create\""))
            let list = try #require(page.firstRange(of: "<table class=\"list\">"))
            return form.lowerBound < list.lowerBound
        }
        #expect(try await !isFirst(browser.get(root + "/people").text))
        let refused = try await browser.submit(root + "/people/create", ["username": "p1"])
        #expect(refused.status == .conflict)
        #expect(try isFirst(refused.text))
    }

    @Test("a refused issuer key and a refused project mark the field")
    func marks() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let key = try await browser.submit(
            root + "/issuer-keys/create",
            ["issuer": "https://hr.example", "kid": "k", "alg": "ES256", "public_key": "none"])
        #expect(key.text.contains("id=\"create-public_key-wrong\">"))
        let project = try await browser.submit("/console/create", ["name": "Bad Name"])
        #expect(project.text.contains("id=\"create-name-wrong\">"))
    }

    @Test("the form of a new provider does not mention a stored secret")
    func newSecret() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let page = try await browser.get(root + "/identity-providers").text
        #expect(page.contains("stored encrypted") && !page.contains("Leave empty to keep it"))
    }
}
