// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// An issue of one value: a code with a message, and the values of the message. Programs use the
/// code, and pages display the message in the language of the person.
package struct ValidationIssue: Error, Sendable, Equatable {
    /// A value of the message: a string or another issue.
    package enum Value: Sendable, Equatable {
        case text(String)
        case complaint(ValidationIssue)
    }

    package let code: ValidationIssueCode
    package let values: [String: Value]

    package init(_ code: ValidationIssueCode, _ values: [String: Value] = [:]) {
        self.code = code
        self.values = values
    }

    /// The complete message.
    ///
    /// - Parameter sentence: returns the message of a code, with `{NAME}` for its values.
    package func text(_ sentence: (ValidationIssueCode) -> String) -> String {
        var text = ""
        var rest = sentence(code)[...]
        while let opening = rest.firstIndex(of: "{") {
            text += rest[..<opening]
            rest = rest[opening...]
            guard let closing = rest.firstIndex(of: "}"),
                let value = values[String(rest[rest.index(after: opening)..<closing])]
            else {
                text += "{"
                rest = rest.dropFirst()
                continue
            }
            text += value.text(sentence)
            rest = rest[rest.index(after: closing)...]
        }
        return text + rest
    }

    package var english: String { text(\.rawValue) }
}

extension ValidationIssue.Value {
    package func text(_ sentence: (ValidationIssueCode) -> String) -> String {
        switch self {
        case .text(let text): text
        case .complaint(let complaint): complaint.text(sentence)
        }
    }
}

extension ValidationIssue.Value: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self = .text(text) }
}

extension ValidationIssue {
    /// The value has the wrong type.
    package static func wrongKind(
        _ value: JSONValue, wanted: ValidationIssueCode
    ) -> ValidationIssue {
        ValidationIssue(
            .wrongKind,
            [
                "kind": .complaint(ValidationIssue(value.kindWord)),
                "wanted": .complaint(ValidationIssue(wanted)),
            ])
    }

    /// - Parameter word: the refused value, for a suggestion.
    package static func notOneOf(_ choices: [String], for word: String? = nil) -> ValidationIssue {
        ValidationIssue(
            .notOneOf,
            [
                "choices": .text(choices.joined(separator: ", ")),
                "hint": hint(for: word, among: choices),
            ])
    }

    package static func unknownKey(_ name: String, among names: [String]) -> ValidationIssue {
        ValidationIssue(.unknownKey, ["hint": hint(for: name, among: names)])
    }

    private static func hint(for word: String?, among choices: [String]) -> Value {
        guard let nearest = word.flatMap({ SpellingSuggestion.of($0, among: choices) }) else {
            return ""
        }
        return .complaint(ValidationIssue(.didYouMean, ["name": .text(nearest)]))
    }

    /// The issue for a member of the value.
    package func of(_ name: String) -> ValidationIssue {
        ValidationIssue(.ofMember, ["name": .text(name), "complaint": .complaint(self)])
    }

    /// The issue for one of several strings.
    package func quoting(_ text: String) -> ValidationIssue {
        ValidationIssue(
            .ofText, ["text": .text(String(text.prefix(200))), "complaint": .complaint(self)])
    }

    /// The issue for an object of a list: with its name, or with its position if it has none.
    package func ofElement(_ index: Int, named name: String?) -> ValidationIssue {
        if let name, !name.isEmpty { return quoting(name) }
        return ValidationIssue(
            .ofElement, ["index": Self.position(index), "complaint": .complaint(self)])
    }

    /// The position of a list's element as people count, from 1.
    package static func position(_ index: Int) -> Value { .text("\(index + 1)") }

    /// A message without a code, from another program or library.
    package static func verbatim(_ text: String) -> ValidationIssue {
        ValidationIssue(.verbatim, ["text": .text(text)])
    }
}

extension JSONValue {
    fileprivate var kindWord: ValidationIssueCode {
        switch self {
        case .null: .wordNothing
        case .bool: .wordFlag
        case .integer, .number: .wordNumber
        case .string: .wordText
        case .array: .wordList
        case .object: .wordMapping
        }
    }
}
