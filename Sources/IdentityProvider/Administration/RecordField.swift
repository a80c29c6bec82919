// SPDX-License-Identifier: Apache-2.0
import JOSE

/// One key of a state document: how it is read into a record and written back.
///
/// Parsing, comparing and exporting all use the same table of these, so a key that can be applied
/// can be exported, and is compared.
struct RecordField<Record>: Sendable {
    let name: String
    /// Whether the setting can enable impersonation: one entry for the key, and one for each nested key.
    let effects: [SettingEffect.OfKey]
    /// The keys by which two records differ, of those that can; this one's name comes first.
    let impersonating: @Sendable (_ old: Record, _ new: Record) -> [String]
    /// `nil` when there is nothing to say.
    let read: @Sendable (Record) -> JSONValue?
    /// Puts the value into the record; returns what is wrong with it instead when it is wrong.
    let write: @Sendable (JSONValue, inout Record) -> ValidationIssue?
    /// The keys of a mapping, or of mappings in a list.
    var members: [StateKey] = []
    /// What it takes, by the names of JSON Schema; empty where ``write`` tells.
    var kinds: [String] = []
    /// The only texts that it takes; empty where ``write`` tells.
    var choices: [String] = []

    init(
        name: String, _ effect: SettingEffect, kinds: [String] = [],
        choices: [String] = [], members: [StateKey] = [],
        read: @escaping @Sendable (Record) -> JSONValue?,
        write: @escaping @Sendable (JSONValue, inout Record) -> ValidationIssue?
    ) {
        self.name = name
        self.read = read
        self.write = write
        self.kinds = kinds
        self.choices = choices
        self.members = members
        effects = [SettingEffect.OfKey(key: name, effect: effect)]
        impersonating = { effect.isFelt(from: read($0), to: read($1)) ? [name] : [] }
    }
}

/// Says what is wrong with a text, or nothing.
typealias TextRule = @Sendable (String) -> ValidationIssue?

/// What single keys cannot tell: which one does not go with the others, and why.
typealias CrossFieldRule = (key: String, complaint: ValidationIssue)

extension RecordField {
    static func text(
        _ name: String, _ effect: SettingEffect,
        _ path: any (WritableKeyPath<Record, String?> & Sendable),
        rule: @escaping TextRule = { _ in nil }
    ) -> RecordField {
        RecordField(name: name, effect) {
            $0[keyPath: path].map(JSONValue.string)
        } write: {
            if $0 == .null {
                $1[keyPath: path] = nil
                return nil
            }
            guard let text = $0.string else { return .wrongKind($0, wanted: .wordText) }
            if let complaint = rule(text) ?? TextRules.line(text) { return complaint }
            $1[keyPath: path] = text
            return nil
        }
    }

    static func text(
        _ name: String, _ effect: SettingEffect,
        _ path: any (WritableKeyPath<Record, String> & Sendable),
        rule: @escaping TextRule = { _ in nil }
    ) -> RecordField {
        RecordField(name: name, effect) {
            .string($0[keyPath: path])
        } write: {
            guard let text = $0.string else { return .wrongKind($0, wanted: .wordText) }
            if let complaint = rule(text) ?? TextRules.line(text) { return complaint }
            $1[keyPath: path] = text
            return nil
        }
    }

    static func list(
        _ name: String, _ effect: SettingEffect,
        _ path: any (WritableKeyPath<Record, [String]> & Sendable),
        rule: @escaping TextRule = { _ in nil }
    ) -> RecordField {
        RecordField(name: name, effect) {
            .array($0[keyPath: path].map(JSONValue.string))
        } write: {
            switch TextRules.list($0, rule: rule) {
            case .success(let texts): $1[keyPath: path] = texts
            case .failure(let complaint): return complaint
            }
            return nil
        }
    }

    /// A list that may be absent; null empties it.
    static func list(
        _ name: String, _ effect: SettingEffect,
        _ path: any (WritableKeyPath<Record, [String]?> & Sendable),
        rule: @escaping TextRule = { _ in nil }
    ) -> RecordField {
        RecordField(name: name, effect) {
            $0[keyPath: path].map { .array($0.map(JSONValue.string)) }
        } write: {
            if $0 == .null {
                $1[keyPath: path] = nil
                return nil
            }
            switch TextRules.list($0, rule: rule) {
            case .success(let texts): $1[keyPath: path] = texts
            case .failure(let complaint): return complaint
            }
            return nil
        }
    }

    static func flag(
        _ name: String, _ effect: SettingEffect,
        _ path: any (WritableKeyPath<Record, Bool> & Sendable)
    ) -> RecordField {
        RecordField(name: name, effect) {
            .bool($0[keyPath: path])
        } write: {
            guard let value = $0.bool else { return .wrongKind($0, wanted: .wordFlag) }
            $1[keyPath: path] = value
            return nil
        }
    }

    static func flag(
        _ name: String, _ effect: SettingEffect,
        _ path: any (WritableKeyPath<Record, Bool?> & Sendable)
    ) -> RecordField {
        RecordField(name: name, effect) {
            $0[keyPath: path].map(JSONValue.bool)
        } write: {
            if $0 == .null {
                $1[keyPath: path] = nil
                return nil
            }
            guard let value = $0.bool else { return .wrongKind($0, wanted: .wordFlag) }
            $1[keyPath: path] = value
            return nil
        }
    }

    static func seconds(
        _ name: String, _ effect: SettingEffect,
        _ path: any (WritableKeyPath<Record, Int64> & Sendable),
        in range: ClosedRange<Int64>
    ) -> RecordField { number(name, effect, path, in: range, otherwise: .notSeconds) }

    static func number(
        _ name: String, _ effect: SettingEffect,
        _ path: any (WritableKeyPath<Record, Int64> & Sendable),
        in range: ClosedRange<Int64>, otherwise complaint: ValidationIssueCode = .notNumber
    ) -> RecordField {
        RecordField(name: name, effect) {
            .integer($0[keyPath: path])
        } write: {
            guard let value = $0.integer, range.contains(value) else {
                return ValidationIssue(complaint, range.words)
            }
            $1[keyPath: path] = value
            return nil
        }
    }
}

extension ClosedRange<Int64> {
    /// For a sentence.
    var words: [String: ValidationIssue.Value] {
        ["from": "\(lowerBound)", "to": "\(upperBound)"]
    }
}
