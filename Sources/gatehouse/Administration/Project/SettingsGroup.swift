// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Documents
import JOSE

/// `KEY=VALUE`
struct SettingText: ExpressibleByArgument {
    let name: String
    let value: JSONValue

    static let help: ArgumentHelp = """
        KEY=VALUE: a number, true, false, null, a text, or a list or mapping as YAML has them on one \
        line: groups='[staff]', access='{groups: [staff]}'.
        """

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        name = String(parts[0])
        switch parts[1] {
        case "true": value = true
        case "false": value = false
        case "null": value = .null
        default:
            value =
                Int64(parts[1]).map(JSONValue.integer) ?? Self.flow(parts[1])
                ?? .string(String(parts[1]))
        }
    }

    /// A list or a mapping; `nil` for what is a text, for example a name in brackets.
    private static func flow(_ text: Substring) -> JSONValue? {
        guard text.hasPrefix("{") || text.hasPrefix("[") else { return nil }
        return (try? DocumentReader.read(Array(text.utf8)))?.json
    }
}

/// What is to change: single settings, a file of them, or both.
struct SettingsGroup: ParsableArguments {
    @Argument(help: SettingText.help)
    var settings: [SettingText] = []
    @Option(help: "YAML or JSON, as `show` prints it; - is standard input.")
    var file: String?

    func validate() throws {
        guard !settings.isEmpty || file != nil else {
            throw ValidationError("name the settings to change: KEY=VALUE, or --file")
        }
    }

    func object() throws -> JSONObject {
        var object = try file.map { try DocumentFile.mapping($0) } ?? JSONObject()
        object.set(settings)
        return object
    }
}

extension JSONObject {
    mutating func set(_ settings: [SettingText]) {
        for setting in settings { self[setting.name] = setting.value }
    }
}

extension DocumentFile {
    /// A file that holds names with values.
    static func mapping(_ path: String) throws -> JSONObject {
        guard let object = try read(path).json.object else {
            throw CommandError("\(path) contains no mapping", code: .badInput)
        }
        return object
    }
}
