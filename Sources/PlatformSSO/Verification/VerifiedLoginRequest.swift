// SPDX-License-Identifier: Apache-2.0
package import OAuth
package import Primitives

/// A login request that a ``RequestVerifier`` accepted.
package struct VerifiedLoginRequest: Sendable {
    /// The credential of the person.
    package enum Credential: Sendable {
        /// A password for the caller to verify.
        case password(Secret, wasEncrypted: Bool)
        /// A valid signature of this registered key.
        case secureEnclaveKey(KeyIdentifier)
        /// A valid signature of this card; the certificate in DER.
        case smartCard(certificate: [UInt8])
        /// A SAML assertion in XML from a WS-Trust federation, for the caller to verify.
        case saml(SAMLVersion, assertion: [UInt8])
        /// The code of a web login with its state, for the caller to redeem.
        case webLogin(WebLoginCallback)
    }

    package enum SAMLVersion: String, Sendable { case v11 = "1.1", v2 = "2.0" }

    package let facts: VerifiedRequestClaims
    package let username: String
    package let scope: ScopeSet
    package let credential: Credential
    package let requestedGroups: [String]
    /// The token of the previous login, with `includePreviousRefreshTokenInLoginRequest`.
    package let previousRefreshToken: Secret?

    /// The purpose of the login, on macOS 27.
    package var purpose: AuthorizationScope? { AuthorizationScope.named(in: scope) }
}
