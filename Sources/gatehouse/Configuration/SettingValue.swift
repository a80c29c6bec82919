// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The value of a flag of ``ServeOptions``. It has the text as it was given: ``SettingValues``
/// validates the texts of all sources by the form, with the same messages.
protocol SettingValue: ExpressibleByArgument, Sendable {
    associatedtype Meaning

    static var form: Setting.Form { get }
    /// Whether a value on the command line, where other users of the computer see it, may contain a
    /// secret.
    static func mayHoldSecret(_ text: String) -> Bool

    var text: String { get }
    /// `nil` for a text that is not valid.
    var meaning: Meaning? { get }

    init(text: String)
}

extension SettingValue {
    static func mayHoldSecret(_ text: String) -> Bool { false }

    init?(argument: String) { self.init(text: argument) }
}

/// A text, which ``SettingReader`` interprets.
struct TextSetting: SettingValue {
    static var form: Setting.Form { .text }
    let text: String
    var meaning: String? { text }
}

/// The path of a file or folder.
struct PathSetting: SettingValue {
    static var form: Setting.Form { .path }
    let text: String
    var meaning: String? { text }
}

/// `scheme://user:password@host`.
struct URLSetting: SettingValue {
    static var form: Setting.Form { .text }
    let text: String
    var meaning: String? { text }

    static func mayHoldSecret(_ text: String) -> Bool {
        guard let start = text.firstRange(of: "://")?.upperBound else { return false }
        let authority = text[start...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return false }
        return authority[..<at].contains(":")
    }
}

/// A whole number of a range.
struct NumberSetting<let minimum: Int, let maximum: Int>: SettingValue {
    static var form: Setting.Form { .integer(Int64(minimum)...Int64(maximum)) }
    let text: String
    var meaning: Int? { Int(text) }
}

/// One of the values of an enumeration.
struct ChoiceSetting<Value: RawRepresentable & CaseIterable & Sendable>: SettingValue
where Value.RawValue == String {
    static var form: Setting.Form { .choice(Value.allCases.map(\.rawValue)) }
    let text: String
    var meaning: Value? { Value(rawValue: text) }
}

/// The type of a property of ``ServeOptions`` that is a setting.
protocol SettingProperty {
    static func setting(named name: String) -> Setting
    /// The given texts; empty if the flag is absent.
    var texts: [String] { get }
}

extension Optional: SettingProperty where Wrapped: SettingValue {
    static func setting(named name: String) -> Setting {
        Setting(name, Wrapped.form, secret: Wrapped.mayHoldSecret)
    }

    var texts: [String] { map { [$0.text] } ?? [] }
}

extension Array: SettingProperty where Element == String {
    static func setting(named name: String) -> Setting { Setting(name, .list) }

    var texts: [String] { self }
}

extension Bool: SettingProperty {
    static func setting(named name: String) -> Setting { Setting(name, .flag) }

    var texts: [String] { self ? ["true"] : [] }
}

/// A property wrapper of ArgumentParser around a setting.
protocol SettingWrapper {
    static func setting(named name: String) -> Setting
    var texts: [String] { get }
}

extension Option: SettingWrapper where Value: SettingProperty {
    static func setting(named name: String) -> Setting { Value.setting(named: name) }

    var texts: [String] { wrappedValue.texts }
}

extension Flag: SettingWrapper where Value: SettingProperty {
    static func setting(named name: String) -> Setting { Value.setting(named: name) }

    var texts: [String] { wrappedValue.texts }
}
