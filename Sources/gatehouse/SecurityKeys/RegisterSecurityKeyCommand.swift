// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import Primitives
import UserClient

/// `gatehouse register security-key`
struct RegisterSecurityKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "security-key",
        abstract: "Register a security key at a provider, without a browser.",
        discussion: """
            You sign in first: with your password (--username), or with a security key that you \
            have already. --new makes an account whose first key this is. Whether the provider \
            lets you is its policy, as in a browser.

            Example: gatehouse register security-key --username anna --issuer https://login.example.com
            """)

    @OptionGroup var options: SignInCommandOptions
    @OptionGroup var key: CeremonyKeyOptions

    @Option(help: "Username; the command prompts for the password.")
    var username: String?

    @Flag(help: "Create a new account with this username.")
    var new = false

    @Option(help: "Full name of the person, for a new account.")
    var name: String?

    @Option(help: "Email address of the person, for a new account.")
    var email: String?

    @Option(
        help: ArgumentHelp(
            "Read the password from this file (or from GATEHOUSE_PASSWORD).", valueName: "file"))
    var passwordFile: String?

    func validate() throws {
        guard !new || username != nil else {
            throw ValidationError("--new requires --username")
        }
    }

    func run() async throws {
        let issuer = try options.knownIssuer()
        let ceremonies = try key.ceremonies(issuer: issuer, ca: options.ca)
        if new, let username {
            try await ceremonies.registerPerson(
                username: username, name: name ?? "", email: email ?? "")
        } else {
            if let username {
                try await ceremonies.signIn(
                    username: username, password: try await password(of: username))
            } else {
                StandardError.print("First, sign in with a key that you already have.")
                try await ceremonies.signIn()
                StandardError.print("Now the new one.")
            }
            try await ceremonies.addKey()
        }
        if options.json {
            print((["issuer": .string(issuer), "registered": true] as JSONValue).text)
        } else {
            print("The security key is registered at \(issuer).")
        }
    }

    private func password(of username: String) async throws -> Secret {
        if let text = try SecretInput.read(file: passwordFile, variable: "GATEHOUSE_PASSWORD") {
            return Secret(text)
        }
        guard let password = await PasswordPrompt.signIn(username).ask() else {
            throw CommandError("no password was given")
        }
        return password
    }
}
