// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderSettings
import Storage

/// The keys of `platform_sso` for settings of the payload. Settings for groups have separate keys.
/// All of them are stored together as the payload's `KEY=VALUE` (``PlatformSSOPolicy/profile``).
enum MachineGroupFields {
    static let all: [RecordField<PlatformSSOPolicy>] = [
        groups("administrator_groups", .impersonating, .administrators, rule: group),
        groups("additional_groups", .impersonating, .additional, rule: group),
        groups("authorization_groups", .impersonating, .rights, rule: right, complaint: sameRight)
            .with(\.summary, "RIGHT=GROUP"),
        profile,
    ]

    /// The names of the settings in the payload.
    private enum Setting: String, CaseIterable, Sendable {
        case administrators = "AdministratorGroups"
        case additional = "AdditionalGroups"
        /// `RIGHT=GROUP`
        case rights = "AuthorizationGroups"

        func isSet(by line: String) -> Bool { line.hasPrefix(rawValue + "=") }

        func read(_ lines: [String]) -> [String] {
            guard let line = lines.last(where: isSet) else { return [] }
            return line.dropFirst(rawValue.count + 1).split(separator: ",").map(String.init)
        }

        func write(_ values: [String], to lines: inout [String]) {
            lines.removeAll(where: isSet)
            if !values.isEmpty { lines.append("\(rawValue)=\(values.joined(separator: ","))") }
        }
    }

    private static func groups(
        _ name: String, _ effect: SettingEffect, _ setting: Setting, rule: @escaping TextRule,
        complaint: @escaping @Sendable ([String]) -> ValidationIssue? = { _ in nil }
    ) -> RecordField<PlatformSSOPolicy> {
        RecordField(name: name, effect) {
            .array(setting.read($0.profile).map(JSONValue.string))
        } write: { value, policy in
            switch TextRules.list(value, rule: rule) {
            case .failure(let complaint): return complaint
            case .success(let texts):
                if let complaint = complaint(texts) { return complaint }
                setting.write(texts, to: &policy.profile)
                return nil
            }
        }
    }

    /// The other settings. If they contain groups, these are the values of the separate keys;
    /// groups that they do not contain are unchanged.
    private static let profile = RecordField<PlatformSSOPolicy>(
        name: "profile", .impersonating
    ) { policy in
        .array(policy.profile.filter { !isAboutGroups($0) }.map(JSONValue.string))
    } write: { value, policy in
        switch TextRules.list(value, rule: DeviceProfile.complaint) {
        case .failure(let complaint): return complaint
        case .success(let lines):
            if let complaint = DeviceProfile.complaint(lines) { return complaint }
            let kept = policy.profile.filter { line in
                Setting.allCases.contains { $0.isSet(by: line) && !lines.contains(where: $0.isSet) }
            }
            policy.profile = lines + kept
            return nil
        }
    }

    private static func isAboutGroups(_ line: String) -> Bool {
        Setting.allCases.contains { $0.isSet(by: line) }
    }

    /// A group. A comma separates several groups.
    private static let group: TextRule = { text in
        text.isEmpty || text.contains(",") ? ValidationIssue(.notGroup) : nil
    }

    private static let right: TextRule = { text in
        let parts = text.split(separator: "=", maxSplits: 1)
        return parts.count == 2 && !text.contains(",") && !text.hasPrefix("=")
            ? nil : ValidationIssue(.notRight)
    }

    private static func sameRight(_ texts: [String]) -> ValidationIssue? {
        var seen: Set<Substring> = []
        let twice = texts.lazy.map { $0.prefix { $0 != "=" } }.first { !seen.insert($0).inserted }
        return twice.map { ValidationIssue(.rightTwice, ["right": .text(String($0))]) }
    }
}
