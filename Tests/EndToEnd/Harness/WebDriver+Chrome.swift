// SPDX-License-Identifier: Apache-2.0

/// What only Chromium can do: its DevTools protocol, and the virtual authenticator.
extension WebDriver {
    @discardableResult
    func chrome(_ command: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await self.command(
            "POST", "/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }

    func emulateDarkMode() async throws {
        let feature: JSON = ["name": "prefers-color-scheme", "value": "dark"]
        try await chrome("Emulation.setEmulatedMedia", ["features": [feature]])
    }

    /// A phone's screen: 390 × 844 CSS pixels, touch.
    func emulatePhone() async throws {
        try await chrome(
            "Emulation.setDeviceMetricsOverride",
            ["width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true])
    }

    /// A platform authenticator that consents and verifies its user. WebAuthn Level 3 section 11.
    func addAuthenticator() async throws -> VirtualAuthenticator {
        let options: JSON = [
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": true,
            "hasUserVerification": true, "isUserConsenting": true, "isUserVerified": true,
        ]
        let id = try await command("POST", "/webauthn/authenticator", options)
        guard let id = id.string else { throw HarnessError("no authenticator: \(id.text)") }
        return VirtualAuthenticator(driver: self, id: id)
    }
}

/// A virtual authenticator of one browser. It holds at most three discoverable credentials.
struct VirtualAuthenticator: Sendable {
    let driver: WebDriver
    let id: String

    /// Credential ids, base64url.
    func credentials() async throws -> [String] {
        let path = "/webauthn/authenticator/\(id)/credentials"
        return try await driver.command("GET", path).array?
            .compactMap { $0["credentialId"].string } ?? []
    }

    func remove() async throws {
        try await driver.command("DELETE", "/webauthn/authenticator/\(id)")
    }

    func setUserVerified(_ verified: Bool) async throws {
        try await driver.command(
            "POST", "/webauthn/authenticator/\(id)/uv", ["isUserVerified": .bool(verified)])
    }

    /// Spoils the next answers, to see them refused.
    func overrideResponses(
        bogusSignature: Bool = false, badUserVerification: Bool = false, badPresence: Bool = false
    ) async throws {
        try await driver.chrome(
            "WebAuthn.setResponseOverrideBits",
            [
                "authenticatorId": .string(id), "isBogusSignature": .bool(bogusSignature),
                "isBadUV": .bool(badUserVerification), "isBadUP": .bool(badPresence),
            ])
    }
}
