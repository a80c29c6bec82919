// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import ProviderSettings
package import Storage

/// The keys of entries in `registration.applications` and `registration.systems`.
package enum VersionFields {
    package static let application: [RecordField<AppVersionPolicy>] = [
        .text("id", .ordinary, \.id, rule: name).with(\.isNeeded, true),
        .text("minimum_version", .ordinary, \.minimumVersion, rule: versionOrNone),
        .text("registration_version", .ordinary, \.registrationVersion, rule: versionOrNone)
            .with(\.summary, "Older versions can sign in, but not register."),
        .text("update_url", .ordinary, \.updateURL, rule: updateURL),
        .list("blocked_versions", .ordinary, \.blockedVersions, rule: version),
    ]

    package static let system: [RecordField<SystemVersionPolicy>] = [
        .text("name", .ordinary, \.name, rule: systemName).with(\.isNeeded, true),
        .text("minimum_version", .ordinary, \.minimumVersion, rule: versionOrNone),
        .list("blocked_versions", .ordinary, \.blockedVersions, rule: version),
    ]

    package static let applicationComplaint: @Sendable (AppVersionPolicy) -> CrossFieldRule? = {
        $0.id.isEmpty ? ("id", ValidationIssue(.missing)) : nil
    }

    package static let systemComplaint: @Sendable (SystemVersionPolicy) -> CrossFieldRule? = {
        $0.name.isEmpty ? ("name", ValidationIssue(.missing)) : nil
    }

    private static let name: TextRule = { text in
        ApplicationVersion.isName(text)
            ? nil : ValidationIssue(.notAppName)
    }

    private static let systemName: TextRule = { text in
        if let complaint = name(text) { return complaint }
        return text == text.lowercased() ? nil : ValidationIssue(.notLowerCase)
    }

    private static let version: TextRule = { text in
        VersionNumber(text) == nil
            ? ValidationIssue(.notVersion) : nil
    }

    private static let versionOrNone: TextRule = { $0.isEmpty ? nil : version($0) }

    /// The URL of a newer version: a web page or the scheme of an app store, but not a script.
    private static let updateURL: TextRule = { text in
        let schemes = ["https://", "market://", "itms-apps://"]
        return text.isEmpty || schemes.contains { text.hasPrefix($0) }
            ? nil : ValidationIssue(.notUpdateAddress)
    }
}
