// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The installed manual and completions, generated from the program.
    @Suite("Manual and completions")
    struct ManualStory {
        @Test("the manual pages and the table of settings in docs/ are those of these programs")
        func manual() async throws {
            let script = Repository.root.appending(path: "Scripts/manual")
            let outcome = try await Command.run(
                script, [Repository.gatehouse.path(), Repository.agent.path()])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }

        @Test(
            "schema and table of state files in docs/ are those of this program",
            arguments: [("schema", "state.schema.json"), ("keys", "state-keys.md")])
        func state(_ command: String, _ file: String) async throws {
            let outcome = try await Command.gatehouse("state", command)
            let page = Repository.root.appending(path: "docs/\(file)")
            #expect(try outcome.output == String(contentsOf: page, encoding: .utf8), "make docs")
        }

        @Test(
            "docs/state.example.yaml is valid by the schema, and no error in it is, by an independent validator",
            .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"))
        func example() async throws {
            let folder = try TemporaryDirectory()
            let schema = try await Command.gatehouse("state", "schema").output
            try folder.write(schema, to: "schema")
            let example = Repository.root.appending(path: "docs/state.example.yaml").path()
            let outcome = try await Command.peer(
                "state_schema.py", [folder.file("schema").path(), example])
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
        }

        @Test("there are completions for every shell", arguments: ["bash", "zsh", "fish"])
        func completions(_ shell: String) async throws {
            let outcome = try await Command.gatehouse("--generate-completion-script", shell)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("management-listen"))
            let agent = try await Command.run(
                Repository.agent, ["--generate-completion-script", shell])
            #expect(agent.status == 0)
            #expect(agent.output.contains("pkcs11-module"))
        }
    }
}
