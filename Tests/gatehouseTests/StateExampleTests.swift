// SPDX-License-Identifier: Apache-2.0
import Foundation
import IdentityProvider
import JOSE
import Primitives
import ProviderSupport
import Testing

@testable import gatehouse

/// What the documentation says of state files is what the code reads.
@Suite struct StateExampleTests {
    private static let docs = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs")

    private func wanted() throws -> DesiredState {
        let document = try StateDocument.read(
            Self.docs.appending(path: "state.example.yaml").path())
        do throws(StateRefusal) {
            return try StateParser.parse(document.json)
        } catch {
            throw document.error(error.problems)
        }
    }

    @Test("docs/state.example.yaml is applied to a new provider, and a second time changes nothing")
    func applied() async throws {
        let provider = try await TestProvider.make()
        let facts = RequestFacts(now: provider.clock.now, requestID: "r", address: "local")
        let made = try await StateReconciler(provider).apply(try wanted(), facts: facts).get()
        #expect(made.contains { $0.action == .create } && made.count > 10)
        let again = try await StateReconciler(provider).apply(try wanted(), facts: facts).get()
        #expect(
            again.allSatisfy { $0.action == .unchanged },
            "\(again.filter { $0.action != .unchanged })")
    }

    @Test("the example has every section")
    func sections() throws {
        let text = try String(
            contentsOf: Self.docs.appending(path: "state.example.yaml"), encoding: .utf8)
        let project = try #require(StateKey.document.first)
        for key in project.members where !key.members.isEmpty {
            #expect(text.contains("\n    \(key.name):"), "\(key.name)")
        }
    }

    @Test("the schema knows every key of the example, its form and no other")
    func schema() throws {
        let document = try StateDocument.read(
            Self.docs.appending(path: "state.example.yaml").path())
        #expect(mistakes(document.json, StateSchema.document, at: "") == [])
        let wrong: JSONValue = [
            "projects": [["name": "a", "policy": ["self_registration": "yes"], "colour": 1]]
        ]
        #expect(
            mistakes(wrong, StateSchema.document, at: "").sorted() == [
                ".projects[].colour", ".projects[].policy.self_registration",
            ])
    }

    @Test("the table has a row for each key, with what holds without it")
    func table() {
        let table = StateSchema.table
        for row in [
            "| `projects[].name` | string | needed |",
            "| `projects[].policy.code_lifetime` | integer | `60` |",
            "| `projects[].clients[].client_id` | string | needed |",
            "| `projects[].registration.apple.device_check_key_file` | string |  |",
            "| `administrators[].role` | string | needed |",
        ] { #expect(table.contains(row), "\(row)") }
    }

    /// As much of JSON Schema as the schema uses.
    private func mistakes(_ value: JSONValue, _ schema: JSONValue, at path: String) -> [String] {
        let types = schema["type"]?.string.map { [$0] } ?? schema["type"]?.strings ?? []
        let kind =
            switch value {
            case .object: "object"
            case .array: "array"
            case .string: "string"
            case .bool: "boolean"
            default: "integer"
            }
        guard types.isEmpty || types.contains(kind) else { return [path] }
        if let items = schema["items"] {
            return (value.array ?? []).flatMap { mistakes($0, items, at: path + "[]") }
        }
        guard let properties = schema["properties"] else { return [] }
        return (value.object?.members ?? []).flatMap { member -> [String] in
            let place = "\(path).\(member.name)"
            guard let schema = properties[member.name] else { return [place] }
            return mistakes(member.value, schema, at: place)
        }
    }
}
