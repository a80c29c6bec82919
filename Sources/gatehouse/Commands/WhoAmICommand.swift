// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import UserClient

/// `gatehouse whoami`
struct WhoAmICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Show the person who is signed in at this terminal.",
        discussion: "Example: gatehouse whoami --json | jq -r .email")

    @OptionGroup var options: SignInCommandOptions

    func run() async throws {
        try await options.run { client, keeper, _ in
            let tokens = try await keeper.fresh(issuer: options.chosenIssuer)
            let directory = try await client.discover(tokens.issuer)
            let person = try await client.userInfo(directory, accessToken: tokens.accessToken)
            if options.json {
                print(JSONValue.object(person).text)
            } else {
                print(PersonText.lines(of: person))
            }
        }
    }
}
