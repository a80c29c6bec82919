// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE

struct AdminConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Say who may do what in the console.",
        discussion: """
            Administrators are people of the project `default`. Roles: owner, \
            project_administrator, developer, support, auditor.

            Examples:

              gatehouse admin console grant --username anna --role owner
              gatehouse admin console grant --username bea --role support --project qa
              gatehouse admin console revoke --username bea --project qa
              gatehouse admin console approve --username anna
            """,
        subcommands: [
            List.self, Grant.self, Revoke.self, Belongings.self, Awaiting.self, Approve.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Every administrator.",
            discussion: "Example: gatehouse admin console list --json")
        @OptionGroup var server: ServerOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let items = try await server.administer { try await $0.list("/administrators") }
            let columns = ["username", "role", "project", "created_at"]
            print(
                output.json
                    ? JSONValue.array(items).text : ProjectPlace.table(items, columns: columns))
        }
    }

    struct Grant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a role, in the place of an older one.",
            discussion: "Example: gatehouse admin console grant --username anna --role owner")
        @Option(help: "User name or sub of a person of the project default.")
        var username: String
        @Option(help: "owner, project_administrator, developer, support or auditor.")
        var role: String
        @Option(help: "In this project only; in every project when absent.")
        var project: String?
        @OptionGroup var server: ServerOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            var body = JSONObject()
            body["role"] = .string(role)
            body["project"] = project.map(JSONValue.string)
            let path = "/administrators/\(AdminConnection.segment(username))"
            let answer = try await server.administer {
                try await $0.call("PUT", path, body: .object(body))
            }
            print(output.json ? answer.text : "done")
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a role.",
            discussion: "Example: gatehouse admin console revoke --username anna")
        @Option(help: "User name or sub.")
        var username: String
        @Option(help: "The role in this project; the one in every project when absent.")
        var project: String?
        @OptionGroup var server: ServerOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let path = "/administrators/\(AdminConnection.segment(username))"
            let query = project.map { [("project", $0)] } ?? []
            _ = try await server.administer { try await $0.call("DELETE", path, query: query) }
            print(output.json ? "{}" : "done")
        }
    }

    struct Awaiting: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "What opens no console before it is approved.",
            discussion: "Example: gatehouse admin console awaiting")
        @OptionGroup var server: ServerOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let items = try await server.administer { try await $0.list("/awaited-approvals") }
            print(
                output.json
                    ? JSONValue.array(items).text
                    : ProjectPlace.table(
                        items, columns: ["username", "kind", "label", "created_at"]))
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let what came to somebody's account after a recovery open the console.",
            discussion: "Example: gatehouse admin console approve --username anna")
        @Option(help: "User name or sub.")
        var username: String
        @OptionGroup var server: ServerOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let path = "/awaited-approvals/\(AdminConnection.segment(username))"
            _ = try await server.administer { try await $0.call("DELETE", path) }
            print(output.json ? "{}" : "done")
        }
    }

    struct Belongings: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "What somebody made that stays with projects, also when they are gone.",
            discussion: "Example: gatehouse admin console belongings --username anna")
        @Option(help: "User name or sub.")
        var username: String
        @OptionGroup var server: ServerOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let path = "/administrators/\(AdminConnection.segment(username))/belongings"
            let items = try await server.administer { try await $0.list(path) }
            print(
                output.json
                    ? JSONValue.array(items).text
                    : ProjectPlace.table(items, columns: ["project", "kind", "id", "name"]))
        }
    }
}
