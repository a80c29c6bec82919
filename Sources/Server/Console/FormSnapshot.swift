// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives

/// What a form showed when it was drawn: a mark of each field, which comes back with the form.
///
/// A page that was left open holds old values of every field. Without the marks, sending it would
/// take back what others have changed since. They need no seal: whoever makes them up asks for
/// changes of their own.
struct FormSnapshot: Sendable {
    static let field = InterruptedForm.snapshotField
    private static let markLength = 9

    private let marks: [String: String]

    /// `nil` for a form that carries none: then what is there now counts as what was shown.
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
