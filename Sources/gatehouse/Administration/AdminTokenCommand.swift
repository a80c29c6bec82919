// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

struct AdminTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Rotate the operator's token of the Admin API.",
        discussion: """
            Example:

              gatehouse admin token rotate --data-dir gatehouse-data
            """,
        subcommands: [Rotate.self])

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Replace the operator's token. The old one is refused from now on.",
            discussion: """
                The new token is written to the file that the old one was read from.

                Example: gatehouse admin token rotate --data-dir gatehouse-data
                """)
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            let answer = try await provider.call(.rotateToken)
            guard let token = answer["token"]?.string else {
                throw CommandError("the response has no new token")
            }
            guard let path = provider.server.tokenPath else {
                // It came from the environment, which we cannot change: give it to who can.
                print(provider.output.json ? (["token": .string(token)] as JSONValue).text : token)
                return
            }
            // The server has written its own file, which must remain its own.
            if try SecretFile.read(path)?.trimmedLine != Array(token.utf8) {
                try SecretFile.replace(path, Array(token.utf8) + [UInt8(ascii: "\n")])
            }
            let json: JSONValue = ["file": .string(path)]
            print(provider.output.json ? json.text : "the new token is in \(path)")
        }
    }
}
