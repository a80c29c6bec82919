import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import ArgumentParser
import JOSE

/// `gatehouse-agent request`
struct AgentRequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Ask the extension that a profile chose for an address, as an app does.",
        discussion: """
            Prints what the extension answers, as JSON: {"outcome":"not_handled"} when none does, and \
            the request goes its ordinary way.

            Example: gatehouse-agent request https://files.example.com/ --operation login
            """)

    @OptionGroup var agent: AgentOptions
    @Argument(help: "The address.")
    var url: String
    @Option(
        help: ArgumentHelp("The requested operation, such as login or logout.", valueName: "name"))
    var operation = ""
    @Option(help: ArgumentHelp("The realm of a challenge.", valueName: "realm"))
    var realm: String?
    @Flag(help: "Do not show a user interface.")
    var silent = false

    func run() async throws {
        var request = AppRequest(url: url)
        request.operation = operation
        request.realm = realm
        request.isUserInterfaceEnabled = !silent
        print(try await agent.send(.authorize, content: request.json).text)
    }
}
