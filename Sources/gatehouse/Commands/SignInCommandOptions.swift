// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Platform
import Primitives
import UserClient

/// What `login`, `logout`, `whoami` and `token` have in common.
struct SignInCommandOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The issuer (GATEHOUSE_ISSUER); by default the one of the last login.",
            valueName: "url"))
    var issuer: String?

    @Option(
        help: ArgumentHelp("Certificates to trust instead of the system's, PEM.", valueName: "file")
    )
    var ca: String?

    @Flag(help: "Print JSON instead of text.")
    var json = false

    /// The public client that every provider has from its first start.
    static let clientID = "gatehouse-cli"

    private static var environment: [String: String] { ProcessEnvironment.all }

    /// The issuer asked for, without a trailing slash.
    var chosenIssuer: String? {
        guard let text = issuer ?? Self.environment["GATEHOUSE_ISSUER"] else { return nil }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The issuer asked for, or the one of the last login, or the one of `gatehouse serve`.
    func knownIssuer() throws -> String {
        if let chosenIssuer { return chosenIssuer }
        let file = TokenFile.standardDirectory(Self.environment).map(TokenFile.init(directory:))
        return try file?.read(issuer: nil)?.issuer ?? "http://localhost:8080"
    }

    /// Runs `body` with a client and the tokens kept on this machine.
    func run(
        _ body: (OpenIDClient, TokenRefresher, TokenFile) async throws -> Void
    ) async throws {
        guard let directory = TokenFile.standardDirectory(Self.environment) else {
            throw UserClientError.file("no directory for tokens: set XDG_STATE_HOME or HOME")
        }
        let web = WebClient(trustedCertificates: try TrustedCertificates.checked(ca))
        let client = OpenIDClient(
            clientID: Self.clientID, web: web, clock: SystemWallClock(),
            random: SystemRandomSource())
        let file = TokenFile(directory: directory)
        do {
            try await body(client, TokenRefresher(file: file, client: client), file)
        } catch UserClientError.insecureIssuer(let issuer) {
            throw CommandError("\(UserClientError.insecureIssuer(issuer))", code: .badInput)
        }
    }
}
