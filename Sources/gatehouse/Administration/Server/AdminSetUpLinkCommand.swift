// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

struct AdminSetUpLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup-link",
        abstract: "Create a link with which one person registers as an owner of the console.",
        discussion: """
            Like the link of the first start, if that one is lost, expired or consumed. It works \
            once, for a day. Open it yourself, or give it only to the person.

            Example: gatehouse admin setup-link --data-dir gatehouse-data
            """)

    @OptionGroup var provider: ProviderOptions

    func run() async throws {
        let answer = try await provider.call(.makeSetUpLink)
        if provider.output.json { return print(answer.text) }
        print(answer["url"]?.string ?? "")
        StandardError.print("valid until \(answer["expires_at"]?.string ?? "-"), once")
    }
}
