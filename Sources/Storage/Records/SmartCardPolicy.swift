// SPDX-License-Identifier: Apache-2.0

/// A project's rules for certificates on smart cards.
package struct SmartCardPolicy: Sendable, Equatable, Codable {
    /// The required strictness of the revocation check.
    package enum Revocation: String, Sendable, CaseIterable, Codable {
        /// Not at all.
        case off
        /// A certificate with a known revocation is refused.
        case whenKnown = "when_known"
        /// Every certificate of the path requires a good status.
        case required
    }

    /// The trust anchors of certificates, in Base64 DER.
    package var roots: [String] = []
    /// The rules that map a certificate to a person; one match suffices. `subject`, `email`, `upn`,
    /// `alt_security_identities`
    package var mapping = ["alt_security_identities"]
    /// Domains of user principal names in which the part before the `@` is the username.
    package var principalDomains: [String] = []
    package var revocation = Revocation.required
    /// Revocation lists and OCSP responses in Base64 DER.
    package var evidence: [String] = []
    /// Hosts from which further status data may be fetched.
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
