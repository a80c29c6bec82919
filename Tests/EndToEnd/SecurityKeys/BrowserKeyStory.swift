// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Support
import Testing
import WebAuthn

extension EndToEnd {
    /// Chromium's virtual keys of every kind against our relying party.
    @Suite(
        "Chromium's security keys",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct BrowserKeyStory {
        private static let transports = ["usb", "nfc", "ble", "smart-card", "hybrid", "internal"]

        @Test("a CTAP2 key registers and signs in over each of the six transports")
        func transports() async throws {
            try await withPage { party, browser in
                for transport in Self.transports {
                    let key = try await browser.addAuthenticator(.key(over: transport))
                    let registered = try await party.register(party.creationOptions())
                    #expect(registered.verified.transports.contains(transport), "\(transport)")
                    #expect(registered.verified.isUserVerified)
                    let signIn = try await party.signIn(registered)
                    #expect(signIn.signCountOutcome == .increased, "\(transport)")
                    try await key.remove()
                }
            }
        }

        @Test("a U2F key registers with its own format and signs in without user verification")
        func u2f() async throws {
            try await withPage { party, browser in
                for transport in ["usb", "nfc", "ble"] {
                    let key = try await browser.addAuthenticator(.u2f(over: transport))
                    var options = party.creationOptions()
                    options.residentKey = .discouraged
                    options.userVerification = .discouraged
                    options.attestation = .direct
                    let registered = try await party.register(options)
                    #expect(registered.verified.format == "fido-u2f", "\(transport)")
                    #expect(registered.verified.attestationType == .certified)
                    #expect(!registered.verified.isUserVerified)
                    var request = party.requestOptions(for: registered)
                    request.userVerification = .discouraged
                    try await party.signIn(registered, request)
                    try await key.remove()
                }
            }
        }

        @Test("a key makes credentials of each algorithm that it knows")
        func algorithms() async throws {
            try await withPage { party, browser in
                for number: Int64 in [-7, -8, -257, -48, -49, -50] {
                    let algorithm = try #require(COSEAlgorithm(rawValue: number))
                    let key = try await browser.addAuthenticator(.key(over: "usb"))
                    var options = party.creationOptions()
                    options.algorithms = [algorithm]
                    let registered = try await party.register(options)
                    #expect(registered.verified.algorithm == algorithm)
                    try await party.signIn(registered)
                    try await key.remove()
                }
            }
        }

        @Test(
            "attestation comes as it was asked for",
            arguments: [
                (AttestationConveyance.none, "none"), (.indirect, "packed"), (.direct, "packed"),
                (.enterprise, "packed"),
            ])
        func attestation(_ conveyance: AttestationConveyance, _ format: String) async throws {
            try await withPage { party, browser in
                _ = try await browser.addAuthenticator(.key(over: "usb"))
                var options = party.creationOptions()
                options.attestation = conveyance
                let verified = try await party.register(options).verified
                #expect(verified.format == format)
                #expect(verified.attestationType == (format == "none" ? .none : .certified))
                let name = "01020304-0506-0708-0102-030405060708"
                #expect(format == "none" || "\(verified.aaguid)" == name)
            }
        }

        @Test("what the browser spoils is refused, and the reason is the right one")
        func spoilt() async throws {
            try await withPage { party, browser in
                let key = try await browser.addAuthenticator(.key(over: "usb"))
                let registered = try await party.register(party.creationOptions())
                var options = party.requestOptions(for: registered)
                options.userVerification = .required
                let spoils: [(WebAuthnRefusal.Code, Bool, Bool, Bool)] = [
                    (.signatureInvalid, true, false, false),
                    (.userVerificationMissing, false, true, false),
                    (.userPresenceMissing, false, false, true),
                ]
                for (code, signature, verification, presence) in spoils {
                    try await key.overrideResponses(
                        bogusSignature: signature, badUserVerification: verification,
                        badPresence: presence)
                    let refusal = await #expect(throws: WebAuthnRefusal.self) {
                        try await party.signIn(registered, options)
                    }
                    #expect(refusal?.code == code)
                }
                try await key.overrideResponses()
                try await party.signIn(registered, options)
            }
        }

        @Test("the provider's own page refuses a response that the browser corrupted")
        func spoiltAtTheProvider() async throws {
            let house = try await DemoHouse()
            try await house.visit { browser in
                try await browser.chrome("WebAuthn.enable", ["enableUI": false])
                // Without storage it is in no list that the page offers by itself.
                let key = try await browser.addAuthenticator(
                    .init(transport: "usb", hasResidentKey: false))
                try await house.signIn(browser, "anna")
                try await browser.click("[data-action=security-key-register]")
                try await eventually("the account lists the key") {
                    try await browser.exists("form[action$='/lost']") ? true : nil
                }
                for (signature, verification, presence) in [
                    (true, false, false), (false, true, false), (false, false, true),
                ] {
                    try await key.overrideResponses(
                        bogusSignature: signature, badUserVerification: verification,
                        badPresence: presence)
                    try await signInByName(browser, house)
                    _ = try await browser.element("[role=alert]")
                    #expect(try await browser.cookie("gatehouse-session").isNull)
                }
                try await key.overrideResponses()
                try await signInByName(browser, house)
                try await browser.arrives(at: "/account")
            }
        }

        private func signInByName(_ browser: WebDriver, _ house: DemoHouse) async throws {
            try await browser.clearCookies()
            try await browser.open(house.issuer + "/sign-in")
            try await browser.type("anna", into: "[name=username]")
            try await browser.click("[data-action=security-key-sign-in]")
        }

        @Test("a key that holds a credential already does not make a second one")
        func excluded() async throws {
            try await withPage { party, browser in
                _ = try await browser.addAuthenticator(.key(over: "usb"))
                let registered = try await party.register(party.creationOptions())
                var options = party.creationOptions()
                options.excludeCredentials = [.init(id: registered.verified.credentialId)]
                let thrown = await #expect(throws: WebAuthnPage.Thrown.self) {
                    try await party.register(options)
                }
                #expect(thrown?.name == "InvalidStateError")
            }
        }

        /// One server and one browser, on a page of the server.
        private func withPage(
            _ story: (BrowserRelyingParty, WebDriver) async throws -> Void
        ) async throws {
            let house = DemoHouse(server: try await ServerProcess("browser-keys"))
            try await house.visit { browser in
                try await browser.open(house.issuer + "/")
                try await browser.chrome("WebAuthn.enable", ["enableUI": false])
                try await story(BrowserRelyingParty(browser, origin: house.issuer), browser)
            }
        }
    }
}
