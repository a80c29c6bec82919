// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import OAuth
package import Primitives

/// The common content of verified requests.
///
/// The caller must then consume ``serverNonce``, verify what the request leaves open (a password, a
/// token), and respond, in this order.
package struct VerifiedRequestClaims: Sendable {
    /// The device key that signed.
    package let signingKeyID: KeyIdentifier
    package let clientID: String
    /// The device's nonce: it returns in the ID token, and is part of `apv`.
    package let nonce: String
    /// The provider's single-use nonce.
    package let serverNonce: String
    package let issuedAt: Timestamp
    package let expiresAt: Timestamp
    /// The encryption of the response.
    package let response: ResponseEncryption
    /// Every claim, for those that a configuration adds.
    package let claims: JSONObject
}

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

/// A refresh request that a ``RequestVerifier`` accepted. The caller must verify the token, which
/// must belong to the signing device.
package struct VerifiedRefreshRequest: Sendable {
    package let facts: VerifiedRequestClaims
    package let scope: ScopeSet
    package let refreshToken: Secret
    package let requestedGroups: [String]
}

/// A key request or key exchange that a ``RequestVerifier`` accepted.
package struct VerifiedKeyRequest: Sendable {
    package enum Operation: Sendable, Equatable {
        /// The provisioning of an unlock key.
        case provision
        /// A key agreement with this key of the device and the unlock key of that context.
        case exchange(otherPublicKey: PublicJWK, context: String?)
    }

    package let facts: VerifiedRequestClaims
    package let username: String
    package let operation: Operation
    /// Must belong to the device and the person.
    package let refreshToken: Secret

    /// The only supported purpose.
    package static let userUnlock = "user_unlock"
}

/// The signed authorization request of a web login that a ``RequestVerifier`` accepted. The
/// resulting code is bound to the signing device, to `state` and to `nonce`.
package struct VerifiedAuthorizationRequest: Sendable {
    package let signingKeyID: KeyIdentifier
    package let clientID: String
    /// Apple's URL, or a loopback port of the device.
    package let redirectURI: String
    package let scope: ScopeSet
    package let state: String
    package let nonce: String
    /// The person at the device, by its statement.
    package let loginHint: String?
    package let claims: JSONObject
}
