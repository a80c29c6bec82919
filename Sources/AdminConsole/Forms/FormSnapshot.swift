// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPServer
import JOSE
import Primitives
import WebPages

/// A snapshot of the values that a form displayed: a hash of each field, which the form sends back.
///
/// A page that was open for a while contains outdated values of every field. Without the hashes,
/// sending it would revert changes of others. The hashes are not authenticated: forged ones can
/// only request a change that the sender may make.
struct FormSnapshot: Sendable {
    static let field = InterruptedForm.snapshotField
    private static let markLength = 9

    private let marks: [String: String]

    /// Returns `nil` for a form without a snapshot. Then the current values are used instead.
    init?(_ form: FormParameters) {
        guard let text = form[Self.field], !text.isEmpty else { return nil }
        let pairs = text.split(separator: " ").compactMap { pair -> (String, String)? in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        marks = Dictionary(pairs) { first, _ in first }
    }

    /// Whether the field came back as it was shown; `nil` when it was not shown.
    ///
    /// - Parameter text: of the field, without what browsers do to line ends.
    func isAsShown(_ name: String, _ text: String) -> Bool? {
        marks[name].map { $0 == Self.mark(text) }
    }

    /// - Parameters:
    ///   - object: as the Admin API shows it.
    ///   - typed: a form that was refused and is shown again: it still rests on what it was drawn from.
    static func input(
        _ fields: [ConsoleField], of object: JSONValue, typed: FormParameters?
    ) -> ConsoleInput {
        let fresh = fields.map { "\($0.name)=\(mark($0.essence(of: object)))" }
        return ConsoleInput(
            field, "", .hidden, value: typed?[field] ?? fresh.joined(separator: " "))
    }

    private static func mark(_ text: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(text.utf8)).prefix(markLength)))
    }
}
