// SPDX-License-Identifier: Apache-2.0

/// A payload of type `com.apple.associated-domains`: the apps and their domains.
package struct AssociatedDomainsPayload: ProfileRecord {
    package static let payloadType = "com.apple.associated-domains"

    package struct App: ProfileRecord {
        /// Team and bundle identifier: `TEAMID.com.example.app`.
        package var applicationIdentifier: String?
        /// Entries such as `authsrv:idp.example.com`.
        package var associatedDomains: [String]?
        package var enableDirectDownloads: Bool?

        package init() {}

        package static let keys: [ProfileKey<Self>] = [
            ProfileKey(
                "ApplicationIdentifier", \.applicationIdentifier, required: true,
                since: SystemVersion(10, 15), "Team and bundle identifier of the app."),
            ProfileKey(
                "AssociatedDomains", \.associatedDomains, required: true,
                since: SystemVersion(10, 15), "Entries `service:host`, such as `authsrv:host`."),
            ProfileKey(
                "EnableDirectDownloads", \.enableDirectDownloads, default: false, since: 11.0,
                """
                Asks the domain itself instead of Apple's cache; only for entries with \
                `?mode=managed` in the app.
                """),
        ]
    }

    package var configuration: [App]?

    package init() {}

    package static let keys: [ProfileKey<Self>] = [
        ProfileKey(
            "Configuration", \.configuration, required: true, since: SystemVersion(10, 15),
            "One dictionary for each app.")
    ]
}
