// SPDX-License-Identifier: Apache-2.0
import JOSE
import WebPages

extension ConsoleField {
    /// The help text of the field, and the range of a number of seconds. The range of another
    /// number is given if there is no text: some are written as digits of a date.
    ///
    /// - Parameter object: The resource as the Admin API returns it.
    func help(_ console: ConsoleContext, _ object: JSONValue) -> String {
        let text =
            console.visit.language.texts["\(label).hint"]
            ?? (hint.isEmpty ? "" : console.text(hint))
        guard isSeconds || text.isEmpty else { return text }
        return [text, rangeText(console, object)].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The field in a form for a new entry, which has no stored secret.
    var ofNewEntry: ConsoleField {
        guard case .secret = kind else { return self }
        var field = self
        field.hint = "consoleSecretNewHint"
        return field
    }

    private func rangeText(_ console: ConsoleContext, _ object: JSONValue) -> String {
        guard let range else { return "" }
        guard isSeconds else { return console.text(range) }
        let text = console.text(
            "consoleSecondsRange",
            ["from": Self.seconds(range.lowerBound), "to": Self.seconds(range.upperBound)])
        guard let saved = object[name]?.integer.flatMap(Self.duration) else { return text }
        return text + " " + console.text("consoleSecondsSaved", ["time": saved])
    }

    /// A number of seconds, with the duration in a larger unit: `3600 (1 h)`.
    static func seconds(_ seconds: Int64) -> String {
        duration(seconds).map { "\(seconds) (\($0))" } ?? String(seconds)
    }

    /// A duration in the largest unit that gives a whole number; `nil` for seconds.
    private static func duration(_ seconds: Int64) -> String? {
        let units: [(symbol: String, seconds: Int64)] = [("d", 86_400), ("h", 3600), ("min", 60)]
        return units.first { seconds > 0 && seconds % $0.seconds == 0 }
            .map { "\(seconds / $0.seconds) \($0.symbol)" }
    }
}

extension ConsoleContext {
    /// The range of a number, for the help text of its field.
    func text(_ range: ClosedRange<Int64>) -> String {
        text("consoleRange", ["from": String(range.lowerBound), "to": String(range.upperBound)])
    }
}
