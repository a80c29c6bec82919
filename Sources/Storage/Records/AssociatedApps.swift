// SPDX-License-Identifier: Apache-2.0

/// Apps of Apple's systems that a project belongs together with, by service. Identifiers are a
/// team's prefix, a dot, and the app's bundle identifier.
package struct AssociatedApps: Sendable, Equatable, Codable {
    /// Apps that may use the credentials of this place.
    package var webCredentials: [String] = []
    /// Apps whose extension signs people in here for the whole system (Platform SSO).
    package var authenticationServices: [String] = []

    package init() {}

    /// Absent keys take their defaults, so old rows gain new services.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        webCredentials = try values.decodeIfPresent([String].self, forKey: .webCredentials) ?? []
        authenticationServices =
            try values.decodeIfPresent([String].self, forKey: .authenticationServices) ?? []
    }
}
