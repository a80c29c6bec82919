import ArgumentParser
// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import JOSE
import UserClient

/// `gatehouse unregister security-key`
struct UnregisterSecurityKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "security-key",
        abstract: "Take a security key off your account, without a browser.",
        discussion: """
            You sign in with it, and then it is removed; never your last way in. A key that you do \
            not have any more is reported lost on the account page. What the key itself keeps is \
            deleted with gatehouse security-key credentials delete.

            Example: gatehouse unregister security-key --issuer https://login.example.com
            """)

    @OptionGroup var options: SignInOptions
    @OptionGroup var key: CeremonyKeyOptions

    @Flag(help: "Do not ask.")
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
