// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import JOSE
import ProviderAdministration
import Storage
import WebPages

/// A list of the Admin API as a table, a page at a time, with the API's own cursors.
struct ConsoleList: Sendable {
    /// The operation that reads the list.
    var operation: AdministrativeOperation
    /// The address of the page that shows it.
    var address: String
    var columns: [String]
    var empty: String
    /// Further query parameters of the call. Links to other pages of the list carry them too.
    var query: [String: String] = [:]
    /// Path parameters of the call besides the project.
    var parameters: AdministrativeOperation.Parameters = [:]

    enum Outcome {
        case table(ConsoleTable)
        case refused(AdminResponse)

        /// The refused response; without meaning for a table.
        var refusal: AdminResponse {
            if case .refused(let answer) = self { answer } else { .nothing }
        }
    }

    /// How many rows a page has.
    static let pageSize = 50

    /// What the list is searched for: in the address of the page, as it is in the Admin API's.
    static func search(_ console: ConsoleContext) -> String {
        (console.visit.query["search"] ?? "").trimmed()
    }

    /// Returns the list limited to entries that begin with the search text.
    ///
    /// - Parameter none: The key of the text that is displayed if no entry matches.
    func searched(_ console: ConsoleContext, none: String = "consoleNothingBegins") -> ConsoleList {
        let search = Self.search(console)
        guard !search.isEmpty else { return self }
        var list = self
        list.query["search"] = search
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
            inputs: [
                ConsoleInput(
                    "search", console.text(label), value: Self.search(console), limit: 254)
            ])
    }

    func read(
        _ console: ConsoleContext, row: (JSONValue) -> [ConsoleCell]
    ) async throws -> Outcome {
        let cursor = console.visit.query["cursor"].flatMap { $0.isEmpty ? nil : $0 }
        var asked = query
        asked["limit"] = String(Self.pageSize)
        asked["cursor"] = cursor
        let answer = try await console.ask(operation, parameters, query: asked)
        guard let page = answer.json else { return .refused(answer) }
        return .table(
            ConsoleTable(
                columns: columns, rows: (page["items"]?.array ?? []).map(row), empty: empty,
                next: page["next"]?.string.map { link(["cursor": $0]) },
                first: cursor == nil ? nil : link([:])))
    }

    private func link(_ more: [String: String]) -> String {
        let all = query.merging(more) { $1 }.filter { !$0.value.isEmpty }
        guard !all.isEmpty else { return address }
        let pairs = all.sorted { $0.key < $1.key }
            .map { "\(FormText.encode($0.key))=\(FormText.encode($0.value))" }
        return "\(address)?\(pairs.joined(separator: "&"))"
    }
}
