// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// An assertion that an issuer has signed, for us, now. Only ``SAMLAssertionVerifier`` makes one.
///
/// Still to be done by the caller: take it out of use (``issuer`` and ``identifier`` together name
/// it, and it is good until ``expiresAt``), and find out whose the subject is.
package struct VerifiedSAMLAssertion: Sendable {
    package let identifier: String
    package let issuer: String
    /// `NameID`, or `NameIdentifier` of SAML 1.1; its whole text.
    package let subject: String
    /// By `Name`; of SAML 1.1 by `AttributeNamespace/AttributeName`.
    package let attributes: [String: [String]]
    /// When the person signed in at the issuer, where it says so.
    package let authenticatedAt: Timestamp?
    package let expiresAt: Timestamp
}
