// SPDX-License-Identifier: Apache-2.0

/// The accepted versions of a system.
package struct SystemVersionPolicy: Sendable, Equatable, Codable {
    /// In lower case: `android`, `ios` …
    package var name = ""
    /// Older ones are refused; any version if empty.
    package var minimumVersion = ""
    package var blockedVersions: [String] = []

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decodeIfPresent(String.self, forKey: .name) ?? ""
        minimumVersion = try values.decodeIfPresent(String.self, forKey: .minimumVersion) ?? ""
        blockedVersions = try values.decodeIfPresent([String].self, forKey: .blockedVersions) ?? []
    }
}
