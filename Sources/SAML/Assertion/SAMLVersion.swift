// SPDX-License-Identifier: Apache-2.0

/// Which SAML an assertion is written in; WS-Trust issues both.
package enum SAMLVersion: Sendable, CaseIterable {
    case v11, v2

    var namespace: String { self == .v2 ? Namespace.saml2 : Namespace.saml1 }
    var identifierName: String { self == .v2 ? "ID" : "AssertionID" }
    /// The confirmation method of a bearer assertion, which requires no key of the holder.
    var bearer: String {
        self == .v2
            ? "urn:oasis:names:tc:SAML:2.0:cm:bearer" : "urn:oasis:names:tc:SAML:1.0:cm:bearer"
    }
}
