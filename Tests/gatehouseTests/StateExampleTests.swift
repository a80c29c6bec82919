// SPDX-License-Identifier: Apache-2.0
import Documents
import Foundation
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
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
        do throws(StateDocumentError) {
            return try StateParser.parse(document.json)
        } catch {
            throw document.error(error.problems)
        }
    }

    @Test("docs/state.example.yaml is applied to a new provider, and a second time changes nothing")
    func applied() async throws {
        let provider = try await TestProvider.make()
        let facts = RequestMetadata(now: provider.clock.now, requestID: "r", address: "local")
        let made = try await StateReconciler(provider).apply(try wanted(), facts: facts).get()
        #expect(made.contains { $0.action == .create } && made.count > 10)
        let again = try await StateReconciler(provider).apply(try wanted(), facts: facts).get()
        #expect(
            again.allSatisfy { $0.action == .unchanged },
            "\(again.filter { $0.action != .unchanged })")
    }

    private static func text() throws -> String {
        try String(contentsOf: docs.appending(path: "state.example.yaml"), encoding: .utf8)
    }

    /// Returns the example with every setting that is commented out: those have no space after the
    /// mark.
    ///
    /// - Parameter secrets: Whether to include those that an example cannot contain, and that are
    ///   in a file or a variable.
    private static func whole(secrets: Bool) throws -> DocumentNode {
        let vendors = ["device_check_key", "play_decryption_key"]
        let lines = try text().split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                let rest = line.drop { $0 == " " }
                guard rest.first == "#", let mark = rest.dropFirst().first,
                    mark == "-" || mark.isLowercase
                else { return String(line) }
                let key = rest.dropFirst().prefix { $0 != ":" }
                let isSecret =
                    key.hasSuffix("_file") || key.hasSuffix("_env") || vendors.contains(String(key))
                return isSecret && !secrets
                    ? "" : String(line.prefix { $0 == " " }) + rest.dropFirst()
            }
        return try DocumentReader.read(Array(lines.joined(separator: "\n").utf8))
    }

    /// Every key that is somewhere in a value, as the table names them.
    private static func keys(_ value: JSONValue, at path: String = "") -> Set<String> {
        if let elements = value.array {
            return elements.reduce(into: []) { $0.formUnion(keys($1, at: path)) }
        }
        return (value.object?.members ?? []).reduce(into: []) { found, member in
            let place = path.isEmpty ? member.name : "\(path).\(member.name)"
            found.insert(place)
            found.formUnion(keys(member.value, at: place))
        }
    }

    private static func keys(_ keys: [StateKey], below path: String = "") -> [String] {
        keys.flatMap { key in
            [path + key.name] + Self.keys(key.members, below: "\(path)\(key.name).")
        }
    }

    @Test("the example has every key, where it belongs, set or commented out")
    func everyKey() throws {
        let here = Self.keys(try Self.whole(secrets: true).json)
        let keys = Self.keys(StateKey.document)
        #expect(keys.count > 260)
        for key in keys { #expect(here.contains(key), "\(key)") }
        // What is set without removing a mark is what people set first.
        let first = Self.keys(try DocumentReader.read(Array(Self.text().utf8)).json)
        for key in ["access", "claims", "scope", "redirect_uris"] {
            #expect(first.contains("projects.clients.\(key)"), "\(key)")
        }
    }

    @Test("with every setting that is commented out the example is a state file as well")
    func commented() async throws {
        let document = try Self.whole(secrets: false)
        let provider = try await TestProvider.make()
        let wanted: DesiredState
        do throws(StateDocumentError) {
            wanted = try StateParser.parse(document.json)
        } catch {
            Issue.record("\(error.problems)")
            return
        }
        let changes = try await StateReconciler(provider).plan(wanted).get()
        #expect(changes.count > 10)
        #expect(mistakes(try Self.whole(secrets: true).json, StateSchema.document, at: "") == [])
    }

    @Test("the schema knows every key of the example, its form and no other")
    func schema() throws {
        let document = try StateDocument.read(
            Self.docs.appending(path: "state.example.yaml").path())
        #expect(mistakes(document.json, StateSchema.document, at: "") == [])
        let wrong: JSONValue = [
            "projects": [
                [
                    "name": "a", "environment": "test", "colour": 1,
                    "policy": ["self_registration": "yes", "code_lifetime": 1],
                    "clients": [
                        [
                            "client_id": "a", "access": ["group": ["staff"]],
                            "grant_types": ["password"], "default_max_age": "1h",
                            "claims": [["claim": "role", "in": ["cookie"]]],
                        ],
                        ["client_id": "b", "access": "staff"],
                    ],
                    "users": [["username": "anna", "attributes": ["sales"]]],
                ]
            ]
        ]
        #expect(
            mistakes(wrong, StateSchema.document, at: "").sorted() == [
                ".projects[].clients[].access", ".projects[].clients[].access",
                ".projects[].clients[].claims[].in[]", ".projects[].clients[].default_max_age",
                ".projects[].clients[].grant_types[]", ".projects[].colour",
                ".projects[].environment", ".projects[].policy.code_lifetime",
                ".projects[].policy.self_registration", ".projects[].users[].attributes",
            ])
    }

    @Test("choices, numbers and what a file leaves as it is are drawn from the tables")
    func drawn() throws {
        let project = try #require(StateKey.document.first).members
        func key(_ path: String...) throws -> StateKey {
            var keys = project
            for name in path.dropLast() {
                keys = try #require(keys.first { $0.name == name }).members
            }
            return try #require(keys.first { $0.name == path.last })
        }
        #expect(try key("environment").choices == ["development", "production"])
        #expect(try key("environment").usual == nil)
        #expect(try key("policy", "self_registration").usual == nil)
        #expect(try key("policy", "self_registration").note.hasPrefix("as it is"))
        #expect(try key("policy", "code_lifetime").range == 5...600)
        #expect(try key("clients", "access").choices == ["everybody", "nobody"])
        #expect(try key("clients", "access").kinds == ["string", "object"])
        #expect(try key("clients", "access", "groups").elements == ["string"])
        #expect(try key("clients", "claims", "in").choices.contains("userinfo"))
        #expect(try key("clients", "required_acr").choices.contains("phr"))
        #expect(try key("clients", "grant_types").choices.contains("refresh_token"))
        #expect(try key("clients", "default_max_age").kinds == ["integer"])
        #expect(try key("users", "email").kinds == ["string"])
        #expect(try key("users", "groups").kinds == ["array"])
        #expect(try key("users", "disabled").usual == nil)
        #expect(try key("webauthn", "user_verification").choices.count == 3)
        #expect(try key("registration", "android", "minimum_level").choices.count == 3)
        #expect(try key("identity_providers", "kind").choices == ["oidc", "oauth"])
        #expect(try key("entitlement_sequences", "steps", "duration").kinds == ["integer"])
    }

    @Test(
        "state files of example apps are read by today's rules, for the scope registration too",
        arguments: ["FirstApp/app.yaml", "browser-client/state.yaml"])
    func exampleApps(_ name: String) throws {
        let file = Self.docs.deletingLastPathComponent().appending(path: "Examples/\(name)")
        let document = try StateDocument.read(file.path())
        #expect(mistakes(document.json, StateSchema.document, at: "") == [])
        do throws(StateDocumentError) {
            _ = try StateParser.parse(document.json)
        } catch {
            Issue.record("\(error.problems)")
        }
    }

    @Test("the table has a row for each key, with what holds without it")
    func table() {
        let table = StateSchema.table
        for row in [
            "| `projects[].name` | string | needed |",
            "| `projects[].policy.code_lifetime` | integer | `60` |",
            "| `projects[].clients[].client_id` | string | needed |",
            "| `projects[].clients[].access` | string or object: `everybody`, `nobody` |  |",
            "| `projects[].environment` | string: `development`, `production` | as it is; in a new one `production` |",
            "| `projects[].registration.apple.device_check_key_file` | string |  |",
            "| `administrators[].project` | string |  |",
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
        if let forms = schema["oneOf"]?.array {
            let isOne = forms.contains { mistakes(value, $0, at: path).isEmpty }
            return isOne ? [] : [path]
        }
        guard types.isEmpty || types.contains(kind) else { return [path] }
        if let words = schema["enum"]?.array, !words.contains(value) { return [path] }
        if let least = schema["minimum"]?.integer, let number = value.integer, number < least {
            return [path]
        }
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
