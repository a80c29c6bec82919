// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// What is installed beside the program, made from the program.
    @Suite("Manual and completions")
    struct ManualStory {
        @Test("the manual page in docs/ is that of this program")
        func manual() async throws {
            let script = Repository.root.appending(path: "Scripts/manual")
            let outcome = try await Command.run(script, [Repository.gatehouse.path()])
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

        @Test("there are completions for every shell", arguments: ["bash", "zsh", "fish"])
        func completions(_ shell: String) async throws {
            let outcome = try await Command.gatehouse("--generate-completion-script", shell)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("management-listen"))
        }
    }
}
