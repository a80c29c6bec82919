// SPDX-License-Identifier: Apache-2.0

/// A project's rules for certificates on smart cards.
package struct SmartCardPolicy: Sendable, Equatable, Codable {
    /// How hard it is asked whether a certificate still holds.
    package enum Revocation: String, Sendable, CaseIterable, Codable {
        /// Not at all.
        case off
        /// A certificate that is said to be revoked is refused.
        case whenKnown = "when_known"
        /// Every certificate of the path needs a word that it holds.
        case required
    }

    /// Certificates in base64 DER that paths must end at.
    package var roots: [String] = []
    /// Rules by which a certificate is a person's; one that fits is enough. `subject`, `email`,
    /// `upn`, `alt_security_identities`
    package var mapping = ["alt_security_identities"]
    /// Domains of user principal names in which the part before the `@` is the user name.
    package var principalDomains: [String] = []
    package var revocation = Revocation.required
    /// Revocation lists and responders' answers in base64 DER.
    package var evidence: [String] = []
    /// Hosts that may be asked for more of them.
    package var hosts: [String] = []

    package init() {}

    /// Absent keys take their defaults, so old rows gain new rules.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ value: inout T) throws {
            if let stored = try values.decodeIfPresent(T.self, forKey: key) { value = stored }
        }
        try read(.roots, &roots)
        try read(.mapping, &mapping)
        try read(.principalDomains, &principalDomains)
        try read(.revocation, &revocation)
        try read(.evidence, &evidence)
        try read(.hosts, &hosts)
    }
}
