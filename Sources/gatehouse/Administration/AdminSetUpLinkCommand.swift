import ArgumentParser
// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import JOSE

struct AdminSetUpLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup-link",
        abstract: "Make a link by which one person registers as an owner of the console.",
        discussion: """
            As the link of the first start, for when that one is lost, too old or used up. It works once, for a \
            day; open it yourself, or give it to the person and to nobody else.

            Example: gatehouse admin setup-link --data-dir gatehouse-data
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let answer = try await server.administer { try await $0.call("POST", "/setup-link") }
        if output.json { return print(answer.text) }
        print(answer["url"]?.string ?? "")
        StandardError.print("valid until \(answer["expires_at"]?.string ?? "-"), once")
    }
}
