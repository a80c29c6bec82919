// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Documents
import JOSE
import ProviderAdministration

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export the provider as a state file, without secrets.",
        discussion: """
            Example:

              gatehouse export --data-dir gatehouse-data > state.yaml
            """)

    @Option(help: "Only this project.")
    var project: String?
    @OptionGroup var provider: ProviderOptions

    func run() async throws {
        let query = project.map { [("project", $0)] } ?? []
        let state = try await ProgressBar.waiting("export") {
            try await provider.call(.exportState, query: query)
        }
        // The YAML writer ends its text with a line feed.
        print(
            provider.output.json ? state.text + "\n" : try DocumentWriter.yaml(state),
            terminator: "")
    }
}
