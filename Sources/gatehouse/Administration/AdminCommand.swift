import ArgumentParser
// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Documents
import JOSE
import ProviderAdministration

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

    /// The parameters of the path of a call about the project.
    func names(
        _ names: AdministrativeOperation.Parameters = [:]
    ) -> AdministrativeOperation.Parameters {
        names.merging([.project: project]) { $1 }
    }

    func call(
        _ operation: AdministrativeOperation, _ names: AdministrativeOperation.Parameters = [:],
        body: JSONValue? = nil
    ) async throws -> JSONValue {
        try await server.call(operation, self.names(names), body: body)
    }

    /// Shows a list: all of it as JSON, the named members as columns.
    ///
    /// - Parameter search: how those begin that are wanted; `nil` for all.
    func list(
        _ operation: AdministrativeOperation, _ names: AdministrativeOperation.Parameters = [:],
        columns: [String], search: String? = nil
    ) async throws {
        let query = search.map { [("search", $0)] } ?? []
        let items = try await server.administer {
            try await $0.list(operation, self.names(names), query: query)
        }
        print(output.json ? JSONValue.array(items).text : Self.table(items, columns: columns))
    }

    func show(
        _ operation: AdministrativeOperation, _ names: AdministrativeOperation.Parameters = [:],
        body: JSONValue? = nil
    ) async throws {
        let value = try await call(operation, names, body: body)
        print(output.json ? value.text : try DocumentWriter.yaml(value).withoutLastLineFeed)
    }

    func change(
        _ operation: AdministrativeOperation, _ names: AdministrativeOperation.Parameters = [:],
        body: JSONValue? = nil
    ) async throws {
        let answer = try await call(operation, names, body: body)
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
