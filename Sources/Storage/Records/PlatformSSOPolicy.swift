// SPDX-License-Identifier: Apache-2.0

/// A project's rules for machines that sign people in (Apple Platform SSO, and our agent).
package struct PlatformSSOPolicy: Sendable, Equatable, Codable {
    package var enabled = false
    /// `clientID` of the login configuration: an OAuth client of the project.
    package var clientID = "platform-sso"
    /// `audience` of the login configuration; the client's id when empty.
    package var audience = ""
    /// `password`, `user_key`
    package var allowedMethods = ["password", "user_key"]
    /// Whether a password is accepted only when it is encrypted to the provider's key.
    package var encryptedPassword = false
    /// Seconds until a refresh needs a full login (`LoginFrequency` of the payload).
    package var loginFrequency: Int64 = 64_800
    /// Whether people may register machines by signing in, without a registration token.
    package var registrationByPeople = false
    /// Life of the certificate of an unlock key, in seconds.
    package var unlockKeyLifetime: Int64 = 365 * 86_400

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.enabled, &enabled)
        try read(.clientID, &clientID)
        try read(.audience, &audience)
        try read(.allowedMethods, &allowedMethods)
        try read(.encryptedPassword, &encryptedPassword)
        try read(.loginFrequency, &loginFrequency)
        try read(.registrationByPeople, &registrationByPeople)
        try read(.unlockKeyLifetime, &unlockKeyLifetime)
    }
}
