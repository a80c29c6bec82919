import ArgumentParser
// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Documents
import JOSE

struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Administer projects, people, clients, keys of issuers and the audit trail.",
        discussion: """
            Examples:

              gatehouse admin people list
              gatehouse admin people create anna --email anna@example.com --password-file secret
              gatehouse admin audit --since 1h --outcome refused
            """,
        subcommands: [
            AdminAuditCommand.self, AdminPeopleCommand.self, AdminGroupsCommand.self,
            AdminClientsCommand.self,
            AdminProjectsCommand.self, AdminIssuerKeysCommand.self, AdminTestKeysCommand.self,
            AdminIdentityProvidersCommand.self, AdminCustomProvidersCommand.self,
            AdminAttestationCommand.self, AdminFingerprintsCommand.self,
            AdminApplicationsCommand.self, AdminSystemsCommand.self, AdminPINPolicyCommand.self,
            AdminPolicyCommand.self,
            AdminEntitlementsCommand.self, AdminApprovalsCommand.self, AdminDevicesCommand.self,
            AdminRegistrationTokensCommand.self, AdminAPITokensCommand.self,
            AdminTokenCommand.self, AdminStoreCommand.self, AdminConsoleCommand.self,
            AdminSetUpLinkCommand.self,
        ])
}

/// The provider and the project in it that a command is about.
struct ProjectOptions: ParsableArguments {
    @Option(help: "The project that is meant.")
    var project = "default"
    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions

    /// - Parameter names: segments below the project, unescaped.
    func path(_ names: String...) -> String { path(names) }

    func path(_ names: [String]) -> String {
        "/projects/" + ([project] + names).map(AdminConnection.segment).joined(separator: "/")
    }

    /// Shows a list: all of it as JSON, the named members as columns.
    ///
    /// - Parameter search: how those begin that are wanted; `nil` for all.
    func list(_ path: String, columns: [String], search: String? = nil) async throws {
        let query = search.map { [("search", $0)] } ?? []
        let items = try await server.administer { try await $0.list(path, query: query) }
        print(output.json ? JSONValue.array(items).text : Self.table(items, columns: columns))
    }

    func show(
        _ path: String, method: String = "GET", body: JSONValue? = nil
    ) async throws {
        let value = try await server.administer { try await $0.call(method, path, body: body) }
        print(output.json ? value.text : try DocumentWriter.yaml(value).withoutLastLineFeed)
    }

    func change(_ method: String, _ path: String, body: JSONValue? = nil) async throws {
        let answer = try await server.administer { try await $0.call(method, path, body: body) }
        if answer == .null {
            print(output.json ? "{}" : "done")
        } else {
            print(output.json ? answer.text : ChangeReport(answer, verb: "changed").text)
        }
    }

    static func table(_ items: [JSONValue], columns: [String]) -> String {
        var table = TextTable(columns)
        for item in items { table.add(columns.map { item[$0]?.shown ?? "-" }) }
        return table.text
    }
}

extension String {
    var withoutLastLineFeed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
