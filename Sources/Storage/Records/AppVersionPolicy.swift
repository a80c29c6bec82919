// SPDX-License-Identifier: Apache-2.0

/// The accepted versions of an app (docs/registration.md, "Versions of apps and systems").
package struct AppVersionPolicy: Sendable, Equatable, Codable {
    /// The bundle identifier or package name that the app states.
    package var id = ""
    /// Older ones are refused; any version if empty.
    package var minimumVersion = ""
    /// The minimum version for registration; older versions can only sign in. Any version if empty.
    package var registrationVersion = ""
    package var blockedVersions: [String] = []
    /// The URL of a newer version, sent in refusals.
    package var updateURL = ""

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.id, &id)
        try read(.minimumVersion, &minimumVersion)
        try read(.registrationVersion, &registrationVersion)
        try read(.blockedVersions, &blockedVersions)
        try read(.updateURL, &updateURL)
    }
}
