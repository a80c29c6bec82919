// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import Primitives
import UserClient

/// `gatehouse token`
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print an access token that is valid for at least half a minute.",
        discussion: """
            Refreshes it when needed; several processes may run it at once.

            Example: curl -H "Authorization: Bearer $(gatehouse token)" https://api.example.com/
            """)

    @OptionGroup var options: SignInCommandOptions

    func run() async throws {
        try await options.run { _, keeper, _ in
            let tokens = try await keeper.fresh(issuer: options.chosenIssuer)
            let token = tokens.accessToken.revealText()
            if options.json {
                var object = JSONObject()
                object["access_token"] = .string(token)
                object["token_type"] = "Bearer"
                object["expires_at"] = .integer(tokens.expiresAt.seconds)
                object["scope"] = .string(tokens.scope)
                print(JSONValue.object(object).text)
            } else {
                print(token)
            }
        }
    }
}
