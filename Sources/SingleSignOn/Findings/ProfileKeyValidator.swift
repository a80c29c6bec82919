// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A validator of a dictionary against its table of keys: names, types, ranges, values, versions.
struct ProfileKeyValidator {
    /// The correct paths of keys that are in the wrong dictionary, by name.
    let homes: [String: String]
    /// The target system; newer keys cause a warning.
    let target: SystemVersion?
    /// In JSON, data are base64 and dates text.
    let isJSON: Bool
    private(set) var findings: [ProfileIssue] = []
    /// The keys that require a newer system than the first single sign-on, with their paths.
    private(set) var needs: [(system: SystemVersion, path: String)] = []

    init(homes: [String: String], target: SystemVersion?, isJSON: Bool) {
        self.homes = homes
        self.target = target
        self.isJSON = isJSON
    }

    mutating func check(
        _ node: PropertyListNode, against keys: [KeyDescription], path: String
    ) {
        guard let members = node.members else {
            return report(.error, .wrongType, path, node.offset, "is not a dictionary")
        }
        for member in members {
            let place = Self.join(path, member.name)
            if let key = keys.first(where: { $0.name == member.name }) {
                check(member, against: key, path: place)
            } else {
                reportUnknown(member, among: keys, path: place)
            }
        }
        for key in keys where key.isRequired && node[key.name] == nil {
            report(
                .error, .missingKey, Self.join(path, key.name), node.offset,
                "\(key.name) is missing", remedy: key.meaning)
        }
    }

    static func join(_ path: String, _ name: String) -> String {
        path.isEmpty ? name : "\(path).\(name)"
    }

    // MARK: Keys

    private mutating func check(
        _ member: PropertyListNode.Member, against key: KeyDescription, path: String
    ) {
        if let deprecated = key.deprecated {
            report(
                .warning, .deprecatedKey, path, member.offset,
                "\(key.name) is deprecated since macOS \(deprecated)", remedy: key.meaning)
        }
        reportNewer("\(key.name) came", key.since, path, member.offset)
        check(member.node, against: key.form, path: path)
    }

    /// Records the required system, and warns if the target is older.
    private mutating func reportNewer(
        _ what: String, _ since: SystemVersion, _ path: String, _ offset: Int
    ) {
        needs.append((since, path))
        guard let target, target < since else { return }
        report(
            .warning, .newerKey, path, offset,
            "\(what) with macOS \(since), after \(target), which ignores it")
    }

    private mutating func reportUnknown(
        _ member: PropertyListNode.Member, among keys: [KeyDescription], path: String
    ) {
        let name = member.name
        let nearest = SpellingSuggestion.of(name, among: keys.map(\.name))
        if let home = homes[name] {
            report(
                .error, .misplacedKey, path, member.offset,
                "\(name) has no effect here", remedy: "it belongs to \(home)")
        } else if let nearest {
            report(
                .error, .misspeltKey, path, member.offset, "there is no key \(name)",
                remedy: "did you mean \(nearest)?")
        } else {
            report(
                .warning, .unknownKey, path, member.offset,
                "there is no key \(name); systems ignore it")
        }
    }

    // MARK: Values

    private mutating func check(_ node: PropertyListNode, against form: KeyForm, path: String) {
        switch (form, node.value) {
        case (.anything, _), (.string, .string), (.boolean, .boolean), (.real, .real),
            (.real, .integer), (.date, .date), (.data, .data):
            break
        case (.choice(let choices), .string(let word)):
            check(word, among: choices, at: node, path: path)
        case (.integer(let least), .integer(let number)):
            guard let least, number < least else { break }
            report(
                .error, .outOfRange, path, node.offset, "\(number) is too small",
                remedy: "at least \(least)")
        case (.list(let form), .array(let nodes)):
            for (index, node) in nodes.enumerated() {
                check(node, against: form, path: "\(path)[\(index)]")
            }
        case (.map(let form), .dictionary(let members)):
            for member in members {
                check(member.node, against: form, path: Self.join(path, member.name))
            }
        case (.dictionary(let keys), .dictionary): check(node, against: keys, path: path)
        case (.data, .string(let text)) where isJSON && Base64.decode(text) != nil: break
        case (.date, .string(let text)) where isJSON && Timestamp(rfc3339: text) != nil: break
        default: reportType(of: node, form, path)
        }
    }

    private mutating func check(
        _ word: String, among choices: [KeyForm.Choice], at node: PropertyListNode, path: String
    ) {
        if let choice = choices.first(where: { $0.value == word }) {
            if let since = choice.since { reportNewer("\(word) came", since, path, node.offset) }
            return
        }
        let words = choices.map(\.value)
        let nearest = SpellingSuggestion.of(word, among: words)
        report(
            .error, .unknownValue, path, node.offset, "\"\(word)\" is not among the values",
            remedy: nearest.map { "did you mean \($0)?" }
                ?? "one of \(words.joined(separator: ", "))")
    }

    private mutating func reportType(of node: PropertyListNode, _ form: KeyForm, _ path: String) {
        var remedy = "a value of type \(form.name)"
        if case .boolean = form { remedy = isJSON ? "true or false" : "<true/> or <false/>" }
        if case .integer = form, !isJSON { remedy = "<integer>…</integer>" }
        if case .list = form { remedy = "\(form.name), also for a single one" }
        report(
            .error, .wrongType, path, node.offset, "a value of type \(node.typeName)",
            remedy: remedy)
    }

    private mutating func report(
        _ severity: ProfileIssue.Severity, _ code: ProfileIssue.Code, _ path: String, _ offset: Int,
        _ problem: String, remedy: String = ""
    ) {
        findings.append(
            ProfileIssue(severity, code, path: path, offset: offset, problem, remedy: remedy))
    }
}
