// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Documents
import JOSE
import ProviderAdministration

/// The provider that a command calls, and the form of its output.
protocol CallOptions: ParsableArguments {
    typealias Names = AdministrativeOperation.Parameters
    var server: ServerOptions { get }
    var output: OutputOptions { get }
    /// The parameters of the path of a call.
    func names(_ names: Names) -> Names
}

/// The provider as a whole.
struct ProviderOptions: CallOptions {
    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions

    func names(_ names: Names) -> Names { names }
}

/// The provider and the project in it that a command is about.
struct ProjectOptions: CallOptions {
    @Option(help: "Project of the keys.")
    var project = "default"
    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions

    func names(_ names: Names) -> Names { names.merging([.project: project]) { $1 } }
}

extension CallOptions {
    func call(
        _ operation: AdministrativeOperation, _ names: Names = [:],
        query: [(String, String)] = [], body: JSONValue? = nil
    ) async throws -> JSONValue {
        try await server.administer {
            try await $0.call(operation, self.names(names), query: query, body: body)
        }
    }

    /// All elements of a list.
    ///
    /// - Parameter search: the beginning of the wanted elements; `nil` for all.
    func items(
        _ operation: AdministrativeOperation, _ names: Names = [:], search: String? = nil
    ) async throws -> [JSONValue] {
        let query = search.map { [("search", $0)] } ?? []
        return try await server.administer {
            try await $0.list(operation, self.names(names), query: query)
        }
    }

    /// Shows a list: all of it as JSON, the named members as columns.
    ///
    /// - Parameter row: an item as the columns display it.
    func list(
        _ operation: AdministrativeOperation, _ names: Names = [:], columns: [String],
        search: String? = nil, row: (JSONValue) -> JSONValue = { $0 }
    ) async throws {
        show(try await items(operation, names, search: search), columns: columns, row: row)
    }

    func show(
        _ items: [JSONValue], columns: [String], row: (JSONValue) -> JSONValue = { $0 }
    ) {
        print(
            output.json
                ? JSONValue.array(items).text : Self.table(items.map(row), columns: columns))
    }

    func show(
        _ operation: AdministrativeOperation, _ names: Names = [:], body: JSONValue? = nil
    ) async throws {
        let value = try await call(operation, names, body: body)
        print(output.json ? value.text : try DocumentWriter.yaml(value).withoutLastLineFeed)
    }

    func change(
        _ operation: AdministrativeOperation, _ names: Names = [:],
        query: [(String, String)] = [], body: JSONValue? = nil
    ) async throws {
        let answer = try await call(operation, names, query: query, body: body)
        guard answer == .null else { return report(answer) }
        print(output.json ? "{}" : "done")
    }

    /// Prints the changes that a call made.
    func report(_ answer: JSONValue) {
        print(output.json ? answer.text : ChangeReport(answer, verb: "changed").text)
    }

    static func table(_ items: [JSONValue], columns: [String]) -> String {
        var table = TextTable(columns)
        for item in items { table.add(columns.map { item[$0]?.shown ?? "-" }) }
        return table.text
    }
}
