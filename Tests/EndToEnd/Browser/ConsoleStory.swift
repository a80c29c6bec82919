// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEndBrowser {
    /// An administrator in the console, in a real browser.
    @Suite(
        "An administrator in the console",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct ConsoleStory {
        private static let parts = [
            "settings", "approvals", "people", "devices", "clients", "entitlement-sets",
            "issuer-keys", "test-keys", "registration-tokens", "identity-providers",
            "app-registration", "fingerprints",
            "versions", "pin-policy", "registration", "token-policy", "webauthn", "platform-sso",
            "encryption-keys",
            "keys", "api-tokens", "audit",
        ]

        private func house() async throws -> DemoHouse {
            let house = try await DemoHouse()
            var state = DeclaredState(users: [DeclaredState.user("anna")])
            state.users += (1...120).map { number in
                [
                    "username": .string("person\(1000 + number)"),
                    "name": .string("Person \(number)"),
                    "email": .string("person\(1000 + number)@example.com"),
                ]
            }
            try await house.server.apply(state.text)
            let granted = try await Command.gatehouse(
                "admin", "console", "grant", "--username", "anna", "--role", "owner",
                "--data-dir", house.server.dataDirectory)
            #expect(granted.status == 0, "\(granted.errors)")
            return house
        }

        private func enter(_ browser: WebDriver, _ house: DemoHouse) async throws {
            try await browser.open(house.issuer + "/console")
            try await house.signIn(browser, "anna")
            try await browser.arrives(at: "/console")
        }

        @Test("she finds a person, disables and enables them, and deletes them by name")
        func people() async throws {
            let house = try await house()
            try await house.visit { browser in
                let root = house.issuer + "/console/projects/default"
                try await browser.open(root + "/people")
                try await house.signIn(browser, "anna")
                // Back at the page that she wanted, not at the beginning.
                try await browser.arrives(at: "/console/projects/default/people")
                try await browser.screenshot("70-console-people")
                try await browser.click("[rel=next]")
                try await browser.arrives(at: "cursor=")
                try await browser.shows("person1080")
                try await browser.type("person1007", into: "[name=search]")
                try await browser.click("[data-action=search]")
                // The page before shows a Person 7 as well, and more.
                try await browser.arrives(at: "search=person1007")
                try await browser.shows("Person 7")
                #expect(try await browser.count("tbody tr") == 1)
                try await browser.click("tbody a")
                try await browser.click("[data-action=disable]")
                try await browser.arrives(at: "done=disabled")
                try await browser.screenshot("71-console-person-disabled")
                try await browser.click("[data-action=enable]")
                try await browser.arrives(at: "done=enabled")
                try await browser.click("[data-action=remove]")
                try await browser.type("person", into: "[name=confirmation]")
                try await browser.click("[data-action=confirm]")
                try await browser.shows("does not match")
                try await browser.screenshot("72-console-confirmation-differs")
                try await browser.type("person1007", into: "[name=confirmation]")
                try await browser.click("[data-action=confirm]")
                try await browser.arrives(at: "done=person")
                try await browser.open(root + "/people?search=person1007")
                try await browser.shows("No person has a name or an email address")
                try await browser.screenshot("73-console-people-empty")
            }
        }

        @Test("she makes a client and a test key, and reads the audit trail")
        func things() async throws {
            let house = try await house()
            try await house.visit { browser in
                try await enter(browser, house)
                try await browser.screenshot("74-console-projects")
                let root = house.issuer + "/console/projects/default"
                try await browser.open(root + "/clients")
                try await browser.type("kiosk", into: "[name=client_id]")
                try await browser.type("https://kiosk.example/cb", into: "[name=redirect_uris]")
                try await browser.click("[data-action=create]")
                try await browser.shows("Copy this value now")
                try await browser.screenshot("75-console-client-secret")
                try await browser.open(root + "/clients/kiosk")
                try await browser.screenshot("76-console-client")
                try await browser.open(root + "/test-keys")
                try await browser.type("ci", into: "[name=name]")
                try await browser.click("[data-action=create]")
                try await browser.shows("PRIVATE KEY", in: "textarea")
                try await browser.screenshot("77-console-test-key")
                #expect(try await browser.exists("a[download$='.pem']"))
                for part in Self.parts {
                    try await browser.open("\(root)/\(part)")
                    #expect(try await browser.exists("main h1"), "\(part)")
                    try await browser.screenshot("78-console-\(part)")
                }
                try await browser.shows("admin.test-key")
                try await browser.open(root + "/people/anna")
                try await browser.screenshot("79-console-person")
                try await browser.open(house.issuer + "/console/administrators")
                try await browser.screenshot("79-console-administrators")
                try await browser.open(root)
                try await browser.screenshot("79-console-project")
            }
        }

        @Test("the same in German, on a phone, in the dark: nothing is wider than the screen")
        func germanPhone() async throws {
            let house = try await house()
            let window = WebDriver.Window(width: 500, height: 900, language: "de-DE", dark: true)
            try await house.visit(window) { browser in
                try await browser.emulatePhone()
                try await enter(browser, house)
                let root = "/console/projects/default"
                let paths =
                    [
                        "/console", "/console/administrators", root, root + "/people/anna",
                        root + "/people/anna/remove", root + "/people/anna/details",
                        root + "/clients/shop",
                    ]
                    + Self.parts.map { "\(root)/\($0)" }
                for (number, path) in paths.enumerated() {
                    try await browser.open(house.issuer + path)
                    let script = "return document.documentElement.scrollWidth <= innerWidth"
                    #expect(try await browser.run(script) == true, "\(path)")
                    try await browser.screenshot("80-console-phone-\(number)")
                }
            }
        }
    }
}

extension WebDriver {
    /// Waits until the value of a field holds the text.
    fileprivate func shows(_ part: String, in selector: String) async throws {
        try await eventually("\(selector) holds \(part)") {
            let script = "return document.querySelector(\(JSON.string(selector).text))?.value"
            return try await run(script).string?.contains(part) == true ? true : nil
        }
    }
}
