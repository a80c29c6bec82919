// SPDX-License-Identifier: Apache-2.0
import Support

/// What only Chromium can do: its DevTools protocol, and the virtual authenticator.
extension WebDriver {
    @discardableResult
    func chrome(_ command: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await self.command(
            "POST", "/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }

    /// Runs a script in every document from now on, before the document's own.
    func prepare(_ script: String) async throws {
        try await chrome("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
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

    /// A virtual authenticator that consents and, where it can, verifies its user. WebAuthn
    /// Level 3 section 11.
    func addAuthenticator(
        _ kind: VirtualAuthenticator.Kind = .platform
    ) async throws -> VirtualAuthenticator {
        let options: JSON = [
            "protocol": .string(kind.version), "transport": .string(kind.transport),
            "hasResidentKey": .bool(kind.hasResidentKey),
            "hasUserVerification": .bool(kind.hasUserVerification), "isUserConsenting": true,
            "isUserVerified": .bool(kind.hasUserVerification),
            "extensions": .array(kind.extensions.map { .string($0) }),
        ]
        let id = try await command("POST", "/webauthn/authenticator", options)
        guard let id = id.string else { throw HarnessError("no authenticator: \(id.text)") }
        return VirtualAuthenticator(driver: self, id: id)
    }
}

/// A virtual authenticator of one browser. It holds at most three discoverable credentials.
struct VirtualAuthenticator: Sendable {
    /// What the authenticator can do.
    struct Kind: Sendable {
        /// `ctap1/u2f`, `ctap2` or `ctap2_1`.
        var version = "ctap2"
        /// One of `usb`, `nfc`, `ble`, `smart-card`, `hybrid`, `internal`.
        var transport = "internal"
        var hasResidentKey = true
        var hasUserVerification = true
        /// Such as `prf` and `largeBlob`.
        var extensions: [String] = []

        static let platform = Kind()
        static func key(over transport: String) -> Kind { Kind(transport: transport) }
        /// A key of before CTAP2: no resident credentials, no user verification.
        static func u2f(over transport: String) -> Kind {
            Kind(
                version: "ctap1/u2f", transport: transport, hasResidentKey: false,
                hasUserVerification: false)
        }
    }

    let driver: WebDriver
    let id: String

    /// Credential ids, base64url.
    func credentials() async throws -> [String] {
        try await details().compactMap { $0["credentialId"].string }
    }

    /// All that the authenticator tells of its credentials.
    func details() async throws -> [JSON] {
        try await driver.command("GET", "/webauthn/authenticator/\(id)/credentials").array ?? []
    }

    func remove() async throws {
        try await driver.command("DELETE", "/webauthn/authenticator/\(id)")
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
