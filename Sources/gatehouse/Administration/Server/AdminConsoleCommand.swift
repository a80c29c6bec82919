// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

struct AdminConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Manage administrator roles.",
        discussion: """
            Administrators are people of the project `default`. Roles: owner, \
            project_administrator, developer, support, auditor.

            Examples:

              gatehouse admin console grant --username anna --role owner
              gatehouse admin console grant --username bea --role support --project qa
              gatehouse admin console revoke --username bea --project qa
              gatehouse admin console approve --username anna
              gatehouse admin console approve --username anna --credential ID
            """,
        subcommands: [
            List.self, Grant.self, Revoke.self, Belongings.self, Awaiting.self, Approve.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the administrators.",
            discussion: "Example: gatehouse admin console list --json")
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            try await provider.list(
                .listAdministrators, columns: ["username", "role", "project", "created_at"])
        }
    }

    struct Grant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "grant", abstract: "Assign a role. It replaces an earlier one.",
            discussion: "Example: gatehouse admin console grant --username anna --role owner")
        @Option(help: "Username or sub of a person of the project default.")
        var username: String
        @Option(help: "owner, project_administrator, developer, support or auditor.")
        var role: String
        @Option(help: "In this project only; in every project when absent.")
        var project: String?
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            var body = JSONObject()
            body["role"] = .string(role)
            body["project"] = project.map(JSONValue.string)
            let answer = try await provider.call(
                .grantAdministrator, [.person: username], body: .object(body))
            print(provider.output.json ? answer.text : "done")
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revoke a role.",
            discussion: "Example: gatehouse admin console revoke --username anna")
        @Option(help: "Username or sub.")
        var username: String
        @Option(help: "The role in this project; the one in every project when absent.")
        var project: String?
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            let query = project.map { [("project", $0)] } ?? []
            try await provider.change(
                .revokeAdministrator, [.person: username], query: query)
        }
    }

    struct Awaiting: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "awaiting",
            abstract: "List the credentials that require approval for the console.",
            discussion: "Example: gatehouse admin console awaiting")
        fileprivate static let columns = ["id", "username", "kind", "label", "created_at"]
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            try await provider.list(.listAwaitedApprovals, columns: Self.columns)
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "approve",
            abstract: "Approve the pending credentials of a person for the console.",
            discussion: """
                Without --credential it approves nothing: it lists what waits. Name each of these.

                Example: gatehouse admin console approve --username anna --credential ID
                """)
        @Option(help: "Username or sub.")
        var username: String
        @Option(help: "The id of a credential that waits; once for each of them.")
        var credential: [String] = []
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            guard !credential.isEmpty else { return try await list() }
            let body: JSONValue = ["credentials": .array(credential.map { .string($0) })]
            try await provider.change(.giveApproval, [.person: username], body: body)
        }

        private func list() async throws {
            let items = try await provider.items(.listAwaitedApprovals)
                .filter {
                    [$0["username"]?.string, $0["sub"]?.string].contains(username.lowercased())
                }
            provider.show(items, columns: Awaiting.columns)
            guard !provider.output.json, !items.isEmpty else { return }
            let options = items.map { "--credential \($0["id"]?.string ?? "")" }
            print("\nNothing is approved yet. To approve all of these, add:")
            print(options.joined(separator: " "))
        }
    }

    struct Belongings: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "belongings",
            abstract: "List the resources that an administrator created.",
            discussion: "Example: gatehouse admin console belongings --username anna")
        @Option(help: "Username or sub.")
        var username: String
        @OptionGroup var provider: ProviderOptions

        func run() async throws {
            try await provider.list(
                .listBelongings, [.person: username], columns: ["project", "kind", "id", "name"])
        }
    }
}
