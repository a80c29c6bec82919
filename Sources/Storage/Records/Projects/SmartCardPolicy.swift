// SPDX-License-Identifier: Apache-2.0

/// A project's rules for certificates on smart cards.
package struct SmartCardPolicy: StoredSettings, Equatable {
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
}
