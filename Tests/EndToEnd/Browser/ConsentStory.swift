// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEndBrowser {
    /// Third-party clients, and devices without a browser: a person decides.
    @Suite(
        "A person who decides",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct ConsentStory {
        private static let callback = "http://localhost:1/callback"

        private func house() async throws -> DemoHouse {
            let thirdParty = DeclaredState.web(
                "bakery", redirect: Self.callback,
                ["client_name": "Corner Bakery", "first_party": false])
            let device: JSON = [
                "client_id": "tv", "client_name": "Living Room TV",
                "token_endpoint_auth_method": "none",
                "grant_types": ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
                "scope": "openid profile offline_access",
            ]
            return try await DemoHouse(clients: [thirdParty, device])
        }

        private func request(_ house: DemoHouse) -> String {
            let query = formEncoded([
                ("response_type", "code"), ("client_id", "bakery"), ("state", "st"),
                ("redirect_uri", Self.callback), ("scope", "openid profile email"),
                ("code_challenge", PKCEPair.challenge), ("code_challenge_method", "S256"),
            ])
            return "\(house.issuer)/authorize?\(query)"
        }

        @Test("deny returns to the client with access_denied, allow is stored permanently")
        func consent() async throws {
            let house = try await house()
            try await house.visit { browser in
                try await browser.open(request(house))
                try await browser.shows("Corner Bakery")
                try await browser.screenshot("40-sign-in-for-client")
                try await house.signIn(browser, "anna")
                _ = try await browser.element("[data-action=consent-allow]")
                try await browser.screenshot("41-consent")
                try await browser.click("[data-action=consent-deny]")
                try await browser.arrives(at: "error=access_denied")
                #expect(try await browser.url.contains("state=st"))
                try await allow(browser, house)
                try await browser.open(house.issuer + "/account")
                try await browser.shows("Corner Bakery")
                try await browser.screenshot("42-account-with-consent")
            }
        }

        private func allow(_ browser: WebDriver, _ house: DemoHouse) async throws {
            _ = try? await browser.open(request(house))
            try await browser.click("[data-action=consent-allow]")
            try await browser.arrives(at: "code=")
            // Nothing listens at the client's address: Chromium's error page is the arrival.
            _ = try? await browser.open(request(house))
            try await browser.arrives(at: "localhost:1/callback")
        }

        @Test("a device gets in when a person types its code")
        func device() async throws {
            let house = try await house()
            let started = try await house.server.post(
                "/device_authorization", [("client_id", "tv"), ("scope", "openid profile")])
            let json = try JSON(parsing: started.body)
            let code = try #require(json["user_code"].string)
            try await house.visit { browser in
                try await browser.open(house.issuer + "/device")
                if try await browser.exists("[name=password]") {
                    try await house.signIn(browser, "anna")
                }
                try await browser.screenshot("43-device")
                try await browser.type(code, into: "[name=code]")
                try await browser.click("[data-action=device-continue]")
                try await browser.shows("Living Room TV")
                try await browser.screenshot("44-device-consent")
                try await browser.click("[data-action=consent-allow]")
                try await eventually("the page says it is done") {
                    try await browser.exists("[data-action=consent-allow]") ? nil : true
                }
                try await browser.screenshot("45-device-done")
            }
            let token = try await house.server.post(
                "/token",
                [
                    ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
                    ("client_id", "tv"), ("device_code", json["device_code"].string ?? ""),
                ])
            #expect(token.status == 200)
            #expect(token.json?["access_token"] != nil)
        }
    }
}
