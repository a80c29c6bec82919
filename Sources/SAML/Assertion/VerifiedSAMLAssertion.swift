// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A currently valid assertion that an issuer has signed for this provider. Only
/// ``SAMLAssertionVerifier`` creates one.
///
/// The caller must then consume it (``issuer`` and ``identifier`` together identify it until
/// ``expiresAt``), and map the subject to a person.
package struct VerifiedSAMLAssertion: Sendable {
    package let identifier: String
    package let issuer: String
    /// `NameID`, or `NameIdentifier` of SAML 1.1; its whole text.
    package let subject: String
    /// By `Name`; of SAML 1.1 by `AttributeNamespace/AttributeName`.
    package let attributes: [String: [String]]
    /// The time of the person's authentication at the issuer, if it is stated.
    package let authenticatedAt: Timestamp?
    package let expiresAt: Timestamp
}
