// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import CommandLineSupport
import JOSE
import Primitives
import UserClient

/// The key for a sign-in or a registration. (`--device` means something else there.)
struct CeremonyKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use the security key at this path (GATEHOUSE_SECURITY_KEY).", valueName: "path"))
    var keyDevice: String?

    @Option(
        help: ArgumentHelp(
            "Read the key's PIN from this file (or from GATEHOUSE_SECURITY_KEY_PIN).",
            valueName: "file"))
    var pinFile: String?

    /// The provider's ceremonies, answered with the key.
    func ceremonies(issuer: String, ca: String?) throws -> WebAuthnCeremonyClient {
        let web = WebClient(trustedCertificates: try TrustedCertificates.checked(ca))
        guard let visitor = CookieUserAgent(issuer: issuer, web: web) else {
            throw CommandError("\(UserClientError.insecureIssuer(issuer))", code: .badInput)
        }
        var key = SecurityKeyOptions()
        key.device = keyDevice
        key.pinFile = pinFile
        let (source, pin) = (try key.source(), try key.readPIN())
        return WebAuthnCeremonyClient(issuer: issuer, visitor: visitor) { options, origin in
            try await Self.answer(options, origin, source, pin)
        }
    }

    /// Options with a `user` ask for a registration, those without for a sign-in.
    private static func answer(
        _ options: JSONValue, _ origin: String, _ source: any AuthenticatorSource, _ pin: String?
    ) async throws -> JSONValue {
        let caller = CeremonyCaller.web(origin: origin)
        let party = (options["rp"]?["id"] ?? options["rpId"])?.string ?? origin
        let account = options["user"]?["name"]?.string
        let operation: SecurityKeyOperation =
            account.map { .register(relyingParty: party, account: $0.withoutControls) }
            ?? .signIn(relyingParty: party)
        return try await TerminalInteraction.run(operation, pin: pin) {
            (interaction) async throws(SecurityKeyError) -> JSONValue in
            let client = SecurityKeyClient(
                source: source, interaction: interaction, random: SystemRandomSource())
            return account == nil
                ? try await client.signIn(json: options, caller: caller).json
                : try await client.register(json: options, caller: caller).json
        }
    }
}
