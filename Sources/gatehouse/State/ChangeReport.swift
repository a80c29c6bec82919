// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import JOSE

/// Changes for people to read: `+` is new, `~` is different.
struct ChangeReport {
    private let changes: [JSONValue]
    private let verb: String

    /// - Parameters:
    ///   - answer: of `/state/plan` or `/state/apply`.
    ///   - verb: what happened to what is counted: `changed`, `would change`.
    init(_ answer: JSONValue, verb: String) {
        changes = answer["changes"]?.array ?? []
        self.verb = verb
    }

    var text: String {
        let different = changes.filter { $0["action"]?.string != "unchanged" }
        let unchanged = changes.count - different.count
        let summary = "\(different.count) \(verb), \(unchanged) unchanged"
        return (different.flatMap(lines) + [summary]).joined(separator: "\n")
    }

    private func lines(_ change: JSONValue) -> [String] {
        let isNew = change["action"]?.string == "create"
        let kind = change["kind"]?.shown ?? ""
        let name = change["name"]?.shown ?? ""
        let place = kind == "project" ? "" : " in \(change["project"]?.shown ?? "")"
        let head = "\(isNew ? "+" : "~") \(kind) \(name)\(place)"
        return [head] + (change["fields"]?.array ?? []).map { field($0, isNew: isNew) }
            + (change["warnings"]?.array ?? []).map { "    ! \($0.shown)" }
    }

    private func field(_ field: JSONValue, isNew: Bool) -> String {
        let name = field["name"]?.shown ?? ""
        guard field["from"] != nil || field["to"] != nil else { return "    \(name): (secret)" }
        let to = field["to"].map(\.text) ?? "(none)"
        if isNew { return "    \(name): \(to.withoutControls)" }
        let from = field["from"].map(\.text) ?? "(none)"
        return "    \(name): \(from.withoutControls) → \(to.withoutControls)"
    }
}
