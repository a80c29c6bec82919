// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import UserClient

/// `gatehouse unregister security-key`
struct UnregisterSecurityKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "security-key",
        abstract: "Remove a security key from your account, without a browser.",
        discussion: """
            Signs in with the key and removes it from the account, unless it is your only sign-in \
            method. Report a lost key on the account page. To delete the credentials on the key, \
            use gatehouse security-key credentials delete.

            Example: gatehouse unregister security-key --issuer https://login.example.com
            """)

    @OptionGroup var options: SignInCommandOptions
    @OptionGroup var key: CeremonyKeyOptions

    @Flag(help: "Skip the confirmation.")
    var yes = false

    func run() async throws {
        let issuer = try options.knownIssuer()
        let ceremonies = try key.ceremonies(issuer: issuer, ca: options.ca)
        try await DataLossConfirmation.ask(
            "The security key that you touch next will not sign you in at \(issuer) any more.",
            isAgreed: yes)
        try await ceremonies.removeKey()
        if options.json {
            print((["issuer": .string(issuer), "removed": true] as JSONValue).text)
        } else {
            print("The security key is removed at \(issuer).")
        }
    }
}
