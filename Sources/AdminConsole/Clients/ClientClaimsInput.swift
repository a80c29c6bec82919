// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE

/// The form of a client's own claims: a table with a row for each claim, and empty rows for more.
struct ClientClaimsInput: Equatable {
    /// More claims are JSON text, because a form has a limited number of parameters.
    private static let maximumRows = 24
    private static let emptyRows = 3
    /// The value of the field if the form has the table.
    private static let mark = "table"

    private(set) var rows: [ClientClaimRow]
    /// The submitted JSON text, or a value that is not a list.
    private var other: JSONValue?

    /// - Parameter value: As the Admin API shows it.
    init(_ value: JSONValue?) {
        rows = (value?.array ?? []).map { ClientClaimRow($0) }
        if let value, value != .null, value.array == nil { other = value }
    }

    /// The submitted value; `nil` if the form has no such field.
    init?(_ form: FormParameters, _ name: String) {
        guard let text = form[name] else { return nil }
        self.init(nil)
        guard text == Self.mark else {
            if !text.isEmpty { other = ConsoleField.json(text) }
            return
        }
        rows = (0..<Self.maximumRows + Self.emptyRows)
            .map { ClientClaimRow(form, "\(name).\($0)") }.filter { !$0.isEmpty }
    }

    var isTable: Bool { other == nil && rows.count <= Self.maximumRows }

    var value: JSONValue { other ?? .array(rows.map(\.value)) }

    /// For administrators who may only read.
    var text: String {
        rows.map { "\($0.claim): \(ConsoleField.lines($0.text).joined(separator: ", "))" }
            .joined(separator: " · ")
    }

    var values: [String: Any] {
        let all = rows + [ClientClaimRow](repeating: .empty, count: Self.emptyRows)
        return ["mark": Self.mark, "rows": all.enumerated().map { $1.values(at: $0) }]
    }
}
