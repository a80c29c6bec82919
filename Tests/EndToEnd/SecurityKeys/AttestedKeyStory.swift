// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Foundation
import JOSE
import Support
import Testing

extension EndToEnd {
    /// A key with a manufacturer's attestation, from the terminal to the account page.
    @Suite(
        "A security key of a maker",
        .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
    struct AttestedKeyStory {
        /// The maker, the metadata service that knows it, and their files.
        private struct Makers {
            let maker: AttestationAuthority
            let publisher: MetadataPublisher
            let folder: TemporaryDirectory

            init() throws {
                maker = try AttestationAuthority()
                publisher = try MetadataPublisher()
                folder = try TemporaryDirectory()
                try folder.write(
                    Self.pem(try publisher.authority.root.der), to: "metadata-root.pem")
                try publish(number: 1)
            }

            /// Writes the list, with a status report or without.
            func publish(number: Int64, status: String? = nil) throws {
                var statement = MetadataPublisher.statement()
                statement["description"] = "Gatehouse Test Key 5C NFC"
                statement["attestationRootCertificates"] = [
                    .string(Data(try maker.root.der).base64EncodedString())
                ]
                statement["icon"] = .string(MetadataPublisher.picture)
                let reports: [JSONValue] = status.map { [["status": .string($0)]] } ?? []
                let entry = MetadataPublisher.entry(
                    aaguid: MadeKey.model, reports: reports, statement: statement)
                let soon = Date(timeIntervalSinceNow: 20 * 86_400).ISO8601Format().prefix(10)
                let blob = try publisher.blob(
                    MetadataPublisher.payload(
                        number: number, nextUpdate: String(soon), entries: [entry]))
                try folder.write(String(decoding: blob, as: UTF8.self), to: "blob.jwt")
            }

            var arguments: [String] {
                [
                    "--metadata", folder.file("blob.jwt").path(),
                    "--metadata-root", folder.file("metadata-root.pem").path(),
                    "--metadata-signer", MetadataPublisher.name,
                ]
            }

            static func pem(_ der: [UInt8]) -> String {
                let text = Data(der).base64EncodedString(options: .lineLength64Characters)
                return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
            }
        }

        private func house(
            _ makers: Makers, _ rules: [String: JSON], arguments: [String] = []
        ) async throws -> DemoHouse {
            let server = try await ServerProcess("attested-key", arguments: arguments)
            if !arguments.isEmpty { try await knows(1) }
            var state = DeclaredState(users: [DeclaredState.user("anna")])
            state.webauthn = .object(rules.merging(["attestation": "direct"]) { $1 })
            try await server.apply(state.text)
            return DemoHouse(server: server)
        }

        /// Waits until the server says in its log that it took over the list of that number.
        private func knows(_ number: Int) async throws {
            try await eventually("the metadata are taken over") {
                let log = try String(
                    contentsOf: Repository.outputFile("attested-key.log"), encoding: .utf8)
                return log.contains(#""number":"\#(number)""#) ? true : nil
            }
        }

        @Test("the metadata certify it: the account page shows its model's name and picture")
        func metadata() async throws {
            let makers = try Makers()
            let house = try await house(
                makers, ["attestation_trust": "metadata"], arguments: makers.arguments)
            let key = try MadeKey(by: makers.maker)
            let registered = try await key.register(at: house.server, for: "anna")
            #expect(registered.status == 0, "\(registered)")
            try await house.visit { browser in
                try await house.signIn(browser, "anna")
                try await browser.open(house.issuer + "/account")
                try await browser.shows("Gatehouse Test Key 5C NFC")
                #expect(try await browser.text.contains("Attested security key"))
                // Drawn, and not only named.
                let width = "return document.querySelector('img.model').naturalWidth"
                #expect(try await browser.run(width).int == 48)
                try await browser.screenshot("60-account-attested-key")
                try await browser.emulateDarkMode()
                try await browser.screenshot("61-account-attested-key-dark")
                try await browser.emulatePhone()
                try await browser.screenshot("62-account-attested-key-dark-phone")
                let script = "return document.documentElement.scrollWidth <= innerWidth"
                #expect(try await browser.run(script) == true, "the page is wider than the phone")
            }
            key.stop()
            try await house.server.stop()
        }

        @Test(
            "the project's own root certifies it; another manufacturer's key is refused with a sentence"
        )
        func roots() async throws {
            let makers = try Makers()
            let root = JSON.string(Makers.pem(try makers.maker.root.der))
            let house = try await house(
                makers, ["attestation_trust": "roots", "trust_roots": [root]])
            let key = try MadeKey(by: makers.maker)
            let stranger = try MadeKey(by: try AttestationAuthority())
            let refused = try await stranger.register(at: house.server, for: "anna")
            #expect(refused.status == 1 && refused.errors.contains("not allowed"), "\(refused)")
            let registered = try await key.register(at: house.server, for: "anna")
            #expect(registered.status == 0, "\(registered)")
            try await house.visit { browser in
                try await house.signIn(browser, "anna")
                try await browser.open(house.issuer + "/account")
                try await browser.shows("Attested security key")
                #expect(try await browser.count("[data-action=credential-lost]") == 1)
            }
            key.stop()
            stranger.stop()
            try await house.server.stop()
        }

        @Test(
            "a model with a warning in the metadata is no longer registered, after a restart as well"
        )
        func revoked() async throws {
            let makers = try Makers()
            let house = try await house(
                makers, ["attestation_trust": "metadata"], arguments: makers.arguments)
            try makers.publish(number: 2, status: "REVOKED")
            try await house.server.stop()
            let again = try await house.server.restarted()
            try await knows(2)
            let key = try MadeKey(by: makers.maker)
            let refused = try await key.register(at: again, for: "anna")
            #expect(refused.status == 1 && refused.errors.contains("not allowed"), "\(refused)")
            key.stop()
            try await again.stop()
        }
    }
}
