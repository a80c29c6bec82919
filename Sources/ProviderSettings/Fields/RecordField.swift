// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A key of a state document: its conversion from and to a record.
///
/// Parsing, comparison and export use the same table, so every key that can be applied is also
/// compared and exported.
package struct RecordField<Record>: Sendable {
    package let name: String
    /// Whether the setting can enable impersonation: one entry for the key, and one for each nested
    /// key.
    package let effects: [SettingEffect.OfKey]
    /// The keys with a difference between two records that can enable impersonation; the name of
    /// this key is their prefix.
    let impersonating: @Sendable (_ old: Record, _ new: Record) -> [String]
    /// Returns `nil` if the key has no value.
    package let read: @Sendable (Record) -> JSONValue?
    /// Writes the value to the record, or returns its issue.
    package let write: @Sendable (JSONValue, inout Record) -> ValidationIssue?
    /// The form of the value for schemas, documentation and forms. What is empty here is derived
    /// from ``write``, see ``StateKey/keys(_:of:)``.
    var form: StateKey

    package init(
        name: String, _ effect: SettingEffect, kinds: [String] = [],
        choices: [String] = [], members: [StateKey] = [],
        read: @escaping @Sendable (Record) -> JSONValue?,
        write: @escaping @Sendable (JSONValue, inout Record) -> ValidationIssue?
    ) {
        self.name = name
        self.read = read
        self.write = write
        form = StateKey(name, kinds)
        form.choices = choices
        form.members = members
        effects = [SettingEffect.OfKey(key: name, effect: effect)]
        impersonating = { effect.isFelt(from: read($0), to: read($1)) ? [name] : [] }
    }

    /// Adds a part of the form that ``write`` does not show.
    package func with<Value>(
        _ path: WritableKeyPath<StateKey, Value>, _ value: Value
    ) -> RecordField {
        var field = self
        field.form[keyPath: path] = value
        return field
    }
}

/// Returns the issue of a string, or `nil`.
package typealias TextRule = @Sendable (String) -> ValidationIssue?

/// The result of a condition across keys: the key that violates it, with its issue.
package typealias CrossFieldRule = (key: String, complaint: ValidationIssue)

extension RecordField {
    package static func text(
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

    package static func text(
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

    package static func list(
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

    /// A list that may be absent; null clears it.
    package static func list(
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

    package static func flag(
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

    package static func flag(
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

    package static func seconds(
        _ name: String, _ effect: SettingEffect,
        _ path: any (WritableKeyPath<Record, Int64> & Sendable),
        in range: ClosedRange<Int64>
    ) -> RecordField { number(name, effect, path, in: range, otherwise: .notSeconds) }

    package static func number(
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
    /// The bounds for a message.
    var words: [String: ValidationIssue.Value] {
        ["from": "\(lowerBound)", "to": "\(upperBound)"]
    }
}
