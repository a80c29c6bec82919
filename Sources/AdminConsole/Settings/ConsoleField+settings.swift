// SPDX-License-Identifier: Apache-2.0
import ProviderAdministration
import ProviderSettings

extension ConsoleField {
    /// The field of a setting. Its control follows from the form of the value, its texts from the
    /// path.
    ///
    /// - Parameters:
    ///   - path: The path in a state document, with a dot at its end.
    ///   - isPart: Whether the form changes a part of a project, in which every number has a value.
    init(_ key: StateKey, in path: String, isPart: Bool = false) {
        let kind = Kind(key)
        let hint =
            switch kind {
            case .lines: key.isPEM ? "consoleRootsHint" : "consoleOnePerLine"
            default: ""
            }
        let isRequired =
            switch kind {
            case .number: isPart
            case .text: isPart && key.isNonempty
            default: false
            }
        self.init(
            key.name, StateKey.text(path + key.name), kind, hint: hint,
            isRequired: isRequired || key.isNeeded)
        range = key.range
        isSeconds = key.isSeconds
    }

    /// The field of a secret.
    init(secret name: String, in path: String, isLong: Bool = false) {
        self.init(
            name, StateKey.text(path + name), .secret(isLong: isLong),
            hint: "consoleSecretKeepHint")
    }
}

extension ConsoleField.Kind {
    init(_ key: StateKey) {
        self =
            switch key.kinds {
            case ["boolean"]: .flag
            case ["integer"]: .number
            case ["array"] where !key.choices.isEmpty && !key.isOrdered: .boxes(key.choices)
            case ["array"]: .lines
            case ["object"]: key.elements == ["string"] ? .pairs : .json
            case _ where key.isClearable: .optional
            case _ where !key.choices.isEmpty: .choice(key.choices)
            default: .text
            }
    }
}

extension ConsoleSettings {
    /// The forms of a group of settings, one for each section, or for the sections of these names.
    static func forms(
        of group: ProjectSettingsGroup, _ names: Set<String>? = nil
    ) -> [ConsoleSettings] {
        let path = group.name + "."
        let secrets = group.secrets.map {
            ConsoleField(secret: $0.name, in: path, isLong: $0.isPEM)
        }
        return group.sections.filter { names?.contains($0.name) ?? true }.map { section in
            ConsoleSettings(
                name: section.name, show: group.show, put: group.put,
                fields: section.keys.map { ConsoleField($0, in: path, isPart: true) } + secrets)
        }
    }
}

extension ConsoleEntries {
    /// - Parameters:
    ///   - label: A key of the text for the name of an entry.
    ///   - columns: Members of an entry.
    ///   - first: The members in the form for a new entry; all if `nil`.
    init(
        _ kind: String, of list: ProjectList, label: String, columns: [Column],
        first: [String]? = nil, hasOwner: Bool = false
    ) {
        let path = list.name + "."
        let keys = list.keys.filter { $0.name != list.key && !(hasOwner && $0.name == "owner") }
        self.init(
            kind: kind, operations: list.operations, parameter: .name,
            key: list.key, label: label, columns: columns,
            fields: keys.map { ConsoleField($0, in: path) }, first: first, hasOwner: hasOwner)
    }
}
