// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import ProviderAdministration
import WebPages

/// A list as a table, a page at a time.
struct ConsoleList: Sendable {
    /// The operation that reads the list.
    var operation: AdministrativeOperation
    /// The address of the page that shows it.
    var address: String
    var columns: [String]
    var empty: String
    /// Query parameters that links to other pages of the list carry.
    var query: [String: String] = [:]

    /// How many rows a page has.
    static let pageSize = 50

    /// Returns the list limited to entries that begin with the search text.
    ///
    /// - Parameter none: The key of the text that is displayed if no entry matches.
    func searched(_ console: ConsoleContext, none: String = "consoleNothingBegins") -> ConsoleList {
        guard !console.search.isEmpty else { return self }
        var list = self
        list.query["search"] = console.search
        list.empty = console.text(none)
        return list
    }

    /// The field above the table.
    ///
    /// - Parameter label: what begins.
    func filter(_ console: ConsoleContext, _ label: String) -> ConsoleForm {
        ConsoleForm(
            "search", to: address, button: console.text("consoleSearch"), weight: .quiet,
            isQuestion: true,
            inputs: [ConsoleInput("search", console.text(label), value: console.search, limit: 254)]
        )
    }

    /// Reads the page of a list of the project.
    func read<Element>(
        _ console: ConsoleContext,
        _ list: (AdministrativeScope) async throws -> AdministrativeList<Element>,
        row: (Element) -> [ConsoleCell]
    ) async throws -> AdministrativeResult<ConsoleTable> {
        try await console.call(operation) {
            try await list($0).page(limit: Self.pageSize, from: console.cursor)
        }.map { table(console, $0.items.map(row), next: $0.next) }
    }

    /// Reads the page of a list of all projects.
    func readForAll<Element>(
        _ console: ConsoleContext, _ list: (AdministrativeCaller) -> AdministrativeList<Element>,
        row: (Element) -> [ConsoleCell]
    ) async throws -> AdministrativeResult<ConsoleTable> {
        try await console.callForAll(operation) {
            try await list($0).page(limit: Self.pageSize, from: console.cursor)
        }.map { table(console, $0.items.map(row), next: $0.next) }
    }

    func table(
        _ console: ConsoleContext, _ rows: [[ConsoleCell]], next: String?
    ) -> ConsoleTable {
        ConsoleTable(
            columns: columns, rows: rows, empty: empty, next: next.map { link(["cursor": $0]) },
            first: console.cursor == nil ? nil : link([:]))
    }

    private func link(_ more: [String: String]) -> String {
        let all = query.merging(more) { $1 }.filter { !$0.value.isEmpty }
        guard !all.isEmpty else { return address }
        let pairs = all.sorted { $0.key < $1.key }
            .map { "\(FormText.encode($0.key))=\(FormText.encode($0.value))" }
        return "\(address)?\(pairs.joined(separator: "&"))"
    }
}
