// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import UserClient

/// `gatehouse logout`
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Revoke and delete the tokens of this terminal.",
        discussion: """
            The tokens are forgotten even when the issuer cannot be reached; the exit code is 1 \
            then, for they stay valid there until they expire.

            Example: gatehouse logout
            """)

    @OptionGroup var options: SignInCommandOptions

    func run() async throws {
        try await options.run { _, keeper, _ in
            let issuer = try await keeper.signOut(issuer: options.chosenIssuer)
            if options.json {
                var object = JSONObject()
                object["issuer"] = .string(issuer)
                print(JSONValue.object(object).text)
            } else {
                print("Signed out at \(issuer).")
            }
        }
    }
}
