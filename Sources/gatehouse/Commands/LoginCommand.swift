// SPDX-License-Identifier: Apache-2.0
import AgentClient
import ArgumentParser
import CommandLineSupport
import JOSE
import OAuth
import Primitives
import UserClient

/// `gatehouse login`
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in, with the browser here or on another device.",
        discussion: """
            Opens the browser and waits for it. Where there is none, or with --device, it shows a \
            code and a QR code for a browser on another device. The tokens are stored in \
            $XDG_STATE_HOME/gatehouse (~/.local/state/gatehouse), readable by you alone. With \
            --security-key no browser is needed: the key is asked here, in the terminal.

            Example: gatehouse login --issuer https://login.example.com
            """)

    @OptionGroup var options: SignInCommandOptions

    @Flag(help: "Use a browser on another device, by code.")
    var device = false

    @Flag(help: "Print the address of the page instead of opening a browser.")
    var noBrowser = false

    @Flag(help: "Sign in with a security key, here and without a browser.")
    var securityKey = false

    @OptionGroup(title: "Security key") var key: CeremonyKeyOptions

    @Option(help: "The scope to request.")
    var scope = "openid profile email groups offline_access"

    @Option(help: ArgumentHelp("How long to wait for the browser.", valueName: "seconds"))
    var timeout: Int = 300

    func validate() throws {
        guard [device, noBrowser, securityKey].filter({ $0 }).count <= 1 else {
            throw ValidationError(
                "--device, --no-browser and --security-key exclude one another")
        }
        guard (1...3600).contains(timeout) else {
            throw ValidationError("--timeout must be a number from 1 to 3600")
        }
    }

    func run() async throws {
        try await options.run { client, keeper, _ in
            let issuer = try options.knownIssuer()
            let directory = try await client.discover(issuer)
            let tokens: TokenSet
            if securityKey {
                tokens = try await signInByKey(client, directory)
            } else if device || !(noBrowser || Browser.isPresent) {
                tokens = try await signInByCode(client, directory)
            } else {
                tokens = try await signInByBrowser(client, directory)
            }
            try await keeper.save(tokens)
            try await report(tokens, client, directory)
        }
    }

    private func signInByKey(
        _ client: OpenIDClient, _ directory: ProviderEndpoints
    ) async throws -> TokenSet {
        try await SecurityKeySignIn(
            client: client, directory: directory,
            ceremonies: try key.ceremonies(issuer: directory.issuer, ca: options.ca)
        ).run(scope: scope)
    }

    private func signInByBrowser(
        _ client: OpenIDClient, _ directory: ProviderEndpoints
    ) async throws -> TokenSet {
        let signIn = BrowserSignIn(client: client, directory: directory)
        let (seconds, scope, opens) = (timeout, scope, !noBrowser)
        return try await withThrowingTaskGroup(of: TokenSet.self) { group in
            group.addTask {
                try await signIn.run(scope: scope) { address in
                    let isOpen = opens && Browser.open(address)
                    StandardError.print(
                        isOpen
                            ? "Waiting for your browser. If no page appears, open this one:"
                            : "Open this page to sign in:")
                    StandardError.print("\n  \(address)\n")
                }
            }
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                throw UserClientError.timedOut
            }
            defer { group.cancelAll() }
            guard let tokens = try await group.next() else { throw UserClientError.timedOut }
            return tokens
        }
    }

    private func signInByCode(
        _ client: OpenIDClient, _ directory: ProviderEndpoints
    ) async throws -> TokenSet {
        let signIn = DeviceCodeSignIn(client: client, directory: directory)
        let facts = LocalDeviceAttributes.ofThisMachine()
        let device = try await signIn.begin(
            scope: scope, name: facts.hostName, model: facts.model)
        let page = PageCodeText(
            url: device.verificationURI, code: device.userCode,
            completeURL: device.verificationURIComplete,
            columns: StandardError.isTerminal ? StandardError.columns : nil)
        let minutes = max(1, device.expiresIn / 60)
        StandardError.print(
            page.text + "\n  Waiting. The code is valid for \(minutes) minutes.\n")
        return try await signIn.finish(device)
    }

    private func report(
        _ tokens: TokenSet, _ client: OpenIDClient, _ directory: ProviderEndpoints
    ) async throws {
        let person = try await client.userInfo(directory, accessToken: tokens.accessToken)
        if options.json {
            var object = JSONObject()
            object["issuer"] = .string(tokens.issuer)
            object["sub"] = tokens.subject.map { .string($0) }
            object["scope"] = .string(tokens.scope)
            object["expires_at"] = .integer(tokens.expiresAt.seconds)
            print(JSONValue.object(object).text)
        } else {
            let name = PersonText.name(of: person)
            print("Signed in at \(tokens.issuer)\(name.map { " as \($0)" } ?? "").")
        }
    }
}
