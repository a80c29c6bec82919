// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing
import WebAuthn

extension EndToEnd {
    /// Extensions and signals, from our options through a browser back into our types.
    @Suite(
        "WebAuthn extensions in Chromium",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct BrowserExtensionStory {
        private static let key = VirtualAuthenticator.Kind(
            version: "ctap2_1", transport: "usb",
            extensions: ["prf", "largeBlob", "credBlob", "minPinLength"])

        @Test("prf gives the same 32 bytes twice, and others for another input")
        func pseudoRandomFunction() async throws {
            try await withKey { party, _ in
                var options = party.creationOptions()
                options.extensions.pseudoRandomFunction = true
                options.extensions.credentialProperties = true
                let registered = try await party.register(options)
                let made = registered.verified.extensionResults
                #expect(made.hasPseudoRandomFunction == true)
                #expect(made.isDiscoverable == true)
                var outputs: [[UInt8]] = []
                for input: [UInt8] in [[1], [1], [2]] {
                    var request = party.requestOptions(for: registered)
                    request.userVerification = .required
                    request.extensions.pseudoRandomInputs = PRFValues(first: input)
                    let results = try await party.signIn(registered, request).extensionResults
                    outputs.append(
                        try #require(results.pseudoRandomResults).first.reveal())
                }
                #expect(outputs.map(\.count) == [32, 32, 32])
                #expect(outputs[0] == outputs[1] && outputs[0] != outputs[2])
            }
        }

        @Test("a large blob is written by one sign-in and read by the next")
        func largeBlob() async throws {
            try await withKey { party, _ in
                var options = party.creationOptions()
                options.extensions.largeBlob = .required
                options.userVerification = .required
                let registered = try await party.register(options)
                #expect(registered.verified.extensionResults.supportsLargeBlob == true)
                let blob = Array("what only this key keeps".utf8)
                var request = party.requestOptions(for: registered)
                request.userVerification = .required
                request.extensions.largeBlob = .write(blob)
                #expect(
                    try await party.signIn(registered, request).extensionResults.wroteLargeBlob
                        == true)
                request = party.requestOptions(for: registered)
                request.userVerification = .required
                request.extensions.largeBlob = .read
                #expect(
                    try await party.signIn(registered, request).extensionResults.largeBlob == blob)
            }
        }

        @Test("credProtect comes back as it was asked for, signed by the key")
        func credentialProtection() async throws {
            try await withKey { party, _ in
                var options = party.creationOptions()
                options.userVerification = .required
                options.extensions.credentialProtection = .userVerificationRequired
                options.extensions.enforcesCredentialProtection = true
                let made = try await party.register(options).verified.extensionResults
                #expect(made.credentialProtection == .userVerificationRequired)
            }
        }

        @Test("signals remove a credential and rename an account in the person's store")
        func signals() async throws {
            try await withKey(.platform) { party, key in
                var options = party.creationOptions()
                let user = options.user.id
                let first = try await party.register(options)
                options = party.creationOptions()
                let second = try await party.register(options)
                #expect(try await key.credentials().count == 2)
                let id = party.party.id
                try await send(
                    .currentUserDetails(
                        relyingPartyId: id, userId: user, name: "ada.l", displayName: "Ada L."),
                    party)
                let store = try await key.details()
                #expect(store.contains { $0["userName"] == "ada.l" }, "\(store)")
                try await send(
                    .unknownCredential(
                        relyingPartyId: id, credentialId: second.verified.credentialId), party)
                #expect(try await key.credentials().count == 1)
                try await send(
                    .allAcceptedCredentials(
                        relyingPartyId: id, userId: user, credentialIds: []), party)
                #expect(try await key.credentials().isEmpty, "\(first.verified.credentialId)")
            }
        }

        private func send(_ signal: SignalPayload, _ party: BrowserRelyingParty) async throws {
            _ = try await party.page.answer(
                "await PublicKeyCredential.\(signal.method)(\(signal.json.text)); return true;")
        }

        private func withKey(
            _ kind: VirtualAuthenticator.Kind = key,
            _ story: (BrowserRelyingParty, VirtualAuthenticator) async throws -> Void
        ) async throws {
            let house = DemoHouse(server: try await ServerProcess("browser-extensions"))
            try await house.visit { browser in
                try await browser.open(house.issuer + "/")
                let key = try await browser.addAuthenticator(kind)
                try await story(BrowserRelyingParty(browser, origin: house.issuer), key)
            }
        }
    }
}
