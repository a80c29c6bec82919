// SPDX-License-Identifier: Apache-2.0

/// The policy for SAML assertions of people who sign in on devices. Devices request them from a
/// security token service by WS-Trust.
package struct FederationPolicy: Sendable, Equatable, Codable {
    /// The part of an assertion that must match the person who signs in.
    package enum Subject: String, Sendable, CaseIterable, Codable {
        /// The subject is the username.
        case name
        /// A user principal name is the username, whole or before a domain of the project.
        case principalName = "upn"
        /// The email address is the person's and verified.
        case email
    }

    /// The `Issuer` of its assertions; if empty, no assertion is accepted.
    package var issuer = ""
    /// The keys that may sign them, in Base64 DER of certificates or public keys.
    package var keys: [String] = []
    /// The audience of assertions (`federationRequestURN`); the project's issuer if empty.
    package var audience = ""
    package var subject = Subject.principalName
    /// The domains whose people the token service may assert; all if empty.
    package var domains: [String] = []
    /// The URL of the token service for devices (WS-MetadataExchange).
    package var metadataURL = ""

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.issuer, &issuer)
        try read(.keys, &keys)
        try read(.audience, &audience)
        try read(.subject, &subject)
        try read(.domains, &domains)
        try read(.metadataURL, &metadataURL)
    }
}
