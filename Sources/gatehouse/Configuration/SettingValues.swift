// SPDX-License-Identifier: Apache-2.0
import Documents
import JOSE
import ProviderSettings

/// What was set, and where: flags win over the environment, the environment over the file.
struct SettingValues: Sendable {
    enum Origin: Sendable, Equatable, CustomStringConvertible {
        case flag(String)
        case environment(String)
        case file(String, DocumentNode.Position)

        var description: String {
            switch self {
            case .flag(let name): "--\(name)"
            case .environment(let name): name
            case .file(let path, let place): "\(path):\(place)"
            }
        }
    }

    struct Entry: Sendable, Equatable {
        var texts: [String]
        var origin: Origin
    }

    private var entries: [String: Entry] = [:]

    /// - Parameters:
    ///   - flags: as given on the command line, by name; absent ones are not in it.
    ///   - file: the configuration file's path and content.
    init(
        flags: [String: [String]], environment: [String: String],
        file: (path: String, document: DocumentNode)?
    ) throws(ConfigurationError) {
        if let file { try read(file.document, of: file.path) }
        try read(environment)
        for (name, texts) in flags where !texts.isEmpty {
            entries[name] = Entry(texts: texts, origin: .flag(name))
        }
        for setting in Setting.all { try check(setting) }
    }

    subscript(name: String) -> Entry? { entries[name] }

    /// The values as flags.
    var arguments: [String] {
        Setting.all.flatMap { setting -> [String] in
            let texts = entries[setting.name]?.texts ?? []
            switch setting.form {
            case .flag: return texts.last == "true" ? ["--\(setting.name)"] : []
            case .list: return texts.map { "--\(setting.name)=\($0)" }
            default: return texts.suffix(1).map { "--\(setting.name)=\($0)" }
            }
        }
    }

    /// The flags whose value may hold a secret that other users of the machine can see.
    var exposedSecrets: [String] {
        Setting.all.filter { setting in
            guard let entry = entries[setting.name], case .flag = entry.origin else { return false }
            return entry.texts.contains(where: setting.mayHoldSecret)
        }.map(\.name)
    }

    // MARK: Sources

    private mutating func read(
        _ document: DocumentNode, of path: String
    ) throws(ConfigurationError) {
        if document.value == .null { return }
        guard case .mapping(let members) = document.value else {
            throw ConfigurationError(
                .file(path, document.place), "the file must be a mapping of keys to values")
        }
        for member in members {
            guard let setting = Setting.named(member.name) else {
                let hint = SpellingSuggestion.hint(for: member.name, among: Setting.all.map(\.name))
                throw ConfigurationError(
                    .file(path, member.place), "unknown key \"\(member.name)\"\(hint)")
            }
            let origin = Origin.file(path, member.node.place)
            entries[setting.name] = Entry(
                texts: try texts(of: member.node, for: setting, at: origin), origin: origin)
        }
    }

    private func texts(
        of node: DocumentNode, for setting: Setting, at origin: Origin
    ) throws(ConfigurationError) -> [String] {
        switch (node.value, setting.form) {
        case (.list(let nodes), .list):
            var texts: [String] = []
            for node in nodes { texts += try self.texts(of: node, for: setting, at: origin) }
            return texts
        case (.text(let text), _): return [text]
        case (.integer(let number), .integer), (.integer(let number), .text):
            return [String(number)]
        case (.bool(let flag), .flag): return [flag ? "true" : "false"]
        default:
            throw ConfigurationError(
                origin, "\(setting.name) is \(node.json.kind); it must be \(setting.form.words)")
        }
    }

    private mutating func read(_ environment: [String: String]) throws(ConfigurationError) {
        let known = Setting.all.map(\.variable) + Self.otherVariables
        for (variable, text) in environment.sorted(by: { $0.key < $1.key })
        where variable.hasPrefix("GATEHOUSE_") {
            guard let setting = Setting.all.first(where: { $0.variable == variable }) else {
                if Self.otherVariables.contains(variable) { continue }
                throw ConfigurationError(
                    .environment(variable),
                    "unknown setting\(SpellingSuggestion.hint(for: variable, among: known))"
                )
            }
            let texts =
                setting.form == .list
                ? text.split(separator: ",").map { String($0) } : [text]
            entries[setting.name] = Entry(texts: texts, origin: .environment(variable))
        }
    }

    /// Variables that other commands read, secrets, and the name of the configuration file.
    static let otherVariables = [
        "GATEHOUSE_CONFIG", "GATEHOUSE_SERVER", "GATEHOUSE_TOKEN", "GATEHOUSE_TOKEN_FILE",
        "GATEHOUSE_CLIENT_ID", "GATEHOUSE_HOME", "GATEHOUSE_PASSWORD",
        "GATEHOUSE_AGENT_SOCKET", "GATEHOUSE_AGENT_PIN_FILE", "GATEHOUSE_REGISTRATION_TOKEN",
        "GATEHOUSE_SECURITY_KEY", "GATEHOUSE_SECURITY_KEY_PIN", "GATEHOUSE_SECURITY_KEY_NEW_PIN",
        "GATEHOUSE_STORE_PASSPHRASE", "GATEHOUSE_PASSKEYS", "GATEHOUSE_PASSKEYS_TPM",
        MasterKeyFile.passphraseVariable, MasterKeyFile.pinVariable,
        MasterKeySealCommand.passphraseVariable,
        "GATEHOUSE_APP_IDENTIFIER", "GATEHOUSE_ASSOCIATED_DOMAINS", "GATEHOUSE_DEVELOPER_MODE",
    ]

    // MARK: Forms

    private func check(_ setting: Setting) throws(ConfigurationError) {
        guard let entry = entries[setting.name] else { return }
        for text in entry.texts {
            let isGood =
                switch setting.form {
                case .text, .path, .list: !text.isEmpty
                case .flag: ["true", "false"].contains(text)
                case .integer(let range): Int64(text).map(range.contains) ?? false
                case .choice(let words): words.contains(text)
                }
            guard isGood else {
                throw ConfigurationError(
                    entry.origin,
                    "\(setting.name) is \"\(text.prefix(80))\"; it must be \(setting.form.words)"
                        + setting.form.hint(for: text))
            }
        }
    }
}

extension Setting.Form {
    fileprivate var words: String {
        switch self {
        case .text: "text"
        case .path: "the path of a file"
        case .flag: "true or false"
        case .integer(let range):
            "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .list: "a list of texts"
        }
    }

    fileprivate func hint(for text: String) -> String {
        if case .choice(let words) = self {
            return SpellingSuggestion.hint(for: text, among: words)
        }
        return ""
    }
}
