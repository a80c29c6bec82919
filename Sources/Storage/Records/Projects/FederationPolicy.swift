// SPDX-License-Identifier: Apache-2.0

/// The policy for SAML assertions of people who sign in on devices. Devices request them from a
/// security token service by WS-Trust.
package struct FederationPolicy: StoredSettings, Equatable {
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
}
