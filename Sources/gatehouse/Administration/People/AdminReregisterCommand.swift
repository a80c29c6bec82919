// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

struct AdminReregisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reregister",
        abstract: "Create a recovery link for a person.",
        discussion: """
            Prints a single-use link with a time limit; give it only to the person. A new link \
            withdraws the previous one. Every step is in the audit log.

            Example: gatehouse admin people reregister anna --hours 4
            """)

    @Argument(help: "Username or sub.")
    var person: String
    @Option(help: "How long the link works: 1 to 168.")
    var hours: Int64 = 24
    @Flag(help: "Withdraw the link instead.")
    var close = false
    @OptionGroup var place: ProjectOptions

    func validate() throws {
        guard (1...168).contains(hours) else {
            throw ValidationError("--hours must be a number from 1 to 168")
        }
    }

    func run() async throws {
        if close { return try await place.change(.closeReRegistration, [.person: person]) }
        let answer = try await place.call(
            .openReRegistration, [.person: person], body: ["lifetime": .integer(hours * 3600)])
        if place.output.json { return print(answer.text) }
        print(answer["url"]?.string ?? "")
        StandardError.print("valid until \(answer["expires_at"]?.string ?? "-"), once")
    }
}
