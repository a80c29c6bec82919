// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Print the changes that applying a state file would make.",
        discussion: """
            Example:

              gatehouse plan state.yaml --data-dir gatehouse-data
            """)

    @Argument(help: "State file, YAML or JSON; - is standard input.")
    var file: String
    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await StateSending(file: file, server: server, output: output)
            .send(.planState, verb: "would change")
    }
}

struct ApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Apply a state file, and print the changes.",
        discussion: """
            Resources that the file does not mention do not change; a second run changes nothing.

            Example:

              gatehouse apply state.yaml --server https://login.example.com --token-file admin.token
            """)

    @Argument(help: "State file, YAML or JSON; - is standard input.")
    var file: String
    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await StateSending(file: file, server: server, output: output)
            .send(.applyState, verb: "changed")
    }
}

/// Sends a state file and shows the changes.
struct StateSending {
    let file: String
    let server: ServerOptions
    let output: OutputOptions

    func send(_ operation: AdministrativeOperation, verb: String) async throws {
        let document = try StateDocument.read(file)
        let connection = try server.connect()
        let answer: JSONValue
        do {
            answer = try await ProgressBar.waiting("sending") {
                try await connection.call(operation, body: document.json)
            }
        } catch let error as AdminConnection.Invalid {
            throw document.error(error.problems)
        }
        print(output.json ? answer.text : ChangeReport(answer, verb: verb).text)
    }
}
