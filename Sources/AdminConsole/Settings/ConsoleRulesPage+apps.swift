// SPDX-License-Identifier: Apache-2.0
import ProviderAdministration

extension ConsoleRulesPage {
    /// The settings for the registration of apps, and the attestation that they require.
    static let appRegistration = ConsoleRulesPage(
        part: "app-registration", see: .seeAppRegistration, change: .changeAppRegistration,
        isGrave: true,
        settings: [.registration, .apple, .android, .associatedApps].flatMap {
            ConsoleSettings.forms(of: $0)
        })

    /// The certificates that apps on Android are signed with.
    static let fingerprints = ConsoleRulesPage(
        part: "fingerprints", see: .seeFingerprints, change: .changeFingerprints, isGrave: true,
        lists: [
            ConsoleEntries(
                "apps", of: .fingerprints, label: "consolePackage",
                columns: [
                    .text("fingerprints", of: .fingerprints, isCode: true),
                    .text("owner", label: "consoleOwner"),
                ], hasOwner: true)
        ])

    /// The accepted versions of apps and systems.
    static let versions = ConsoleRulesPage(
        part: "versions", see: .seeVersions, change: .changeVersions,
        settings: ConsoleSettings.forms(of: .versions),
        lists: [
            ConsoleEntries(
                "applications", of: .applications, label: "consoleApplication",
                columns: ["minimum_version", "registration_version", "blocked_versions"].map {
                    .text($0, of: .applications)
                }),
            ConsoleEntries(
                "systems", of: .systems, label: "consoleSystem",
                columns: ["minimum_version", "blocked_versions"].map { .text($0, of: .systems) }),
        ])
}
