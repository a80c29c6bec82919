// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// Options whose properties are settings: ``ServeOptions``, and an option group of it.
protocol SettingOptions: ParsableArguments {}

extension SettingOptions {
    /// The given flags, by the names of ``Setting``.
    var flags: [String: [String]] {
        let given = wrappers(isParsed: true).map { ($0, $1.texts) }.filter { !$1.isEmpty }
        return Dictionary(given, uniquingKeysWith: { $1 })
    }

    /// The settings with their names, in the order of the properties. Those of an option group are
    /// at its place.
    ///
    /// - Parameter isParsed: whether these options come from a command line. Otherwise they have no
    ///   values.
    func wrappers(isParsed: Bool) -> [(name: String, wrapper: any SettingWrapper)] {
        Mirror(reflecting: self).children.flatMap {
            child -> [(name: String, wrapper: any SettingWrapper)] in
            if let group = child.value as? any SettingGroup {
                return group.options(isParsed: isParsed).wrappers(isParsed: isParsed)
            }
            guard let wrapper = child.value as? any SettingWrapper, let label = child.label else {
                return []
            }
            return [(flagName(label), wrapper)]
        }
    }
}

/// An option group of settings.
private protocol SettingGroup {
    func options(isParsed: Bool) -> any SettingOptions
}

extension OptionGroup: SettingGroup where Value: SettingOptions {
    /// A group that was not parsed has no value, and traps if it is read.
    func options(isParsed: Bool) -> any SettingOptions { isParsed ? wrappedValue : Value() }
}

/// `_managementListen` is `management-listen`.
private func flagName(_ label: String) -> String {
    label.drop { $0 == "_" }.reduce(into: "") { name, character in
        name += character.isUppercase ? "-\(character.lowercased())" : String(character)
    }
}
