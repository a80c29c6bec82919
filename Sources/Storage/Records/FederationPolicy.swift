// SPDX-License-Identifier: Apache-2.0

/// Whose SAML assertions speak for people who sign in on machines: a token service that machines ask
/// by WS-Trust.
package struct FederationPolicy: Sendable, Equatable, Codable {
    /// What of an assertion is compared with the person who is said to sign in.
    package enum Subject: String, Sendable, CaseIterable, Codable {
        /// The subject is the user name.
        case name
        /// A user principal name is the user name, whole or before a domain of the project.
        case principalName = "upn"
        /// A mail address is the person's, who has shown that it is.
        case email
    }

    /// `Issuer` of its assertions; no assertion is believed when it is empty.
    package var issuer = ""
    /// Who may have signed them, in base64 DER of certificates or public keys.
    package var keys: [String] = []
    /// Whom assertions are for (`federationRequestURN`); the project's issuer when empty.
    package var audience = ""
    package var subject = Subject.principalName
    /// Of whose people the token service answers for; everybody's when empty.
    package var domains: [String] = []
    /// Where machines find it (WS-MetadataExchange).
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
