// SPDX-License-Identifier: Apache-2.0

/// A project's rules for machines that sign people in (Apple Platform SSO, and our agent).
package struct PlatformSSOPolicy: Sendable, Equatable, Codable {
    package var enabled = false
    /// `clientID` of the login configuration: an OAuth client of the project.
    package var clientID = "platform-sso"
    /// `audience` of the login configuration; the client's id when empty.
    package var audience = ""
    /// `password`, `user_key`, `smart_card`, `web_login`
    package var allowedMethods = ["password", "user_key"]
    /// Whether a password is accepted only when it is encrypted to the provider's key.
    package var encryptedPassword = false
    /// Seconds until a refresh needs a full login (`LoginFrequency` of the payload).
    package var loginFrequency: Int64 = 64_800
    /// Whether people may register machines by signing in, without a registration token.
    package var registrationByPeople = false
    /// Life of the certificate of an unlock key, in seconds.
    package var unlockKeyLifetime: Int64 = 365 * 86_400
    /// Groups whose members may sign in on machines; everybody may when it is empty.
    package var signInGroups: [String] = []
    /// Whether a login is answered with an access token as well.
    package var accessToken = false
    /// Whether ID tokens say on which machine, and what is known of it.
    package var deviceClaim = false
    /// Whether people sign in only on machines that device management finds in order.
    package var requiresCompliance = false
    /// Keys of the payload's `PlatformSSO`, each as `KEY=VALUE`: told to machines, and written into
    /// the profile of Setup Assistant.
    package var profile: [String] = []
    package var setupAssistant = SetupAssistantPolicy()
    /// Whose certificates on cards speak for people.
    package var smartCards = SmartCardPolicy()
    /// Whose SAML assertions speak for people.
    package var federation = FederationPolicy()
    /// What hardware must vouch for when a machine registers.
    package var attestation = DeviceAttestationPolicy()

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
        try read(.signInGroups, &signInGroups)
        try read(.accessToken, &accessToken)
        try read(.deviceClaim, &deviceClaim)
        try read(.requiresCompliance, &requiresCompliance)
        try read(.profile, &profile)
        try read(.setupAssistant, &setupAssistant)
        try read(.smartCards, &smartCards)
        try read(.federation, &federation)
        try read(.attestation, &attestation)
    }
}
