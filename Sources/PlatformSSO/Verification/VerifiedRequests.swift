// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import OAuth
package import Primitives

/// What every verified request says.
///
/// Still to be done by the caller, in this order: take ``serverNonce`` out of use, then prove what
/// the request leaves open (a password, a token), then answer.
package struct VerifiedRequestClaims: Sendable {
    /// The device key that signed.
    package let signingKeyID: KeyIdentifier
    package let clientID: String
    /// The device's own nonce: returns in the ID token, and stands in `apv`.
    package let nonce: String
    /// The nonce that the provider gave, for one use.
    package let serverNonce: String
    package let issuedAt: Timestamp
    package let expiresAt: Timestamp
    /// How to encrypt the answer.
    package let response: ResponseEncryption
    /// Every claim, for those that a configuration adds.
    package let claims: JSONObject
}

/// A login request that a ``RequestVerifier`` accepted.
package struct VerifiedLoginRequest: Sendable {
    /// What speaks for the person.
    package enum Credential: Sendable {
        /// To be checked by the caller.
        case password(Secret, wasEncrypted: Bool)
        /// The signature of this registered key was right.
        case secureEnclaveKey(KeyIdentifier)
        /// The signature of this card was right; the certificate in DER.
        case smartCard(certificate: [UInt8])
        /// To be verified by the caller: a SAML assertion in XML, from a WS-Trust federation.
        case saml(SAMLVersion, assertion: [UInt8])
        /// To be redeemed by the caller: the code of a web login, with its state.
        case webLogin(WebLoginCallback)
    }

    package enum SAMLVersion: String, Sendable { case v11 = "1.1", v2 = "2.0" }

    package let facts: VerifiedRequestClaims
    package let username: String
    package let scope: ScopeSet
    package let credential: Credential
    package let requestedGroups: [String]
    /// The token of the login before, with `includePreviousRefreshTokenInLoginRequest`.
    package let previousRefreshToken: Secret?

    /// What the login is for, on macOS 27.
    package var purpose: AuthorizationScope? { AuthorizationScope.named(in: scope) }
}

/// A refresh request that a ``RequestVerifier`` accepted. Whether the token is good, and whose it is,
/// the caller finds out; it must belong to the device that signed.
package struct VerifiedRefreshRequest: Sendable {
    package let facts: VerifiedRequestClaims
    package let scope: ScopeSet
    package let refreshToken: Secret
    package let requestedGroups: [String]
}

/// A key request or key exchange that a ``RequestVerifier`` accepted.
package struct VerifiedKeyRequest: Sendable {
    package enum Operation: Sendable, Equatable {
        /// Provision an unlock key.
        case provision
        /// Agree with this key of the device, using the unlock key of that context.
        case exchange(otherPublicKey: PublicJWK, context: String?)
    }

    package let facts: VerifiedRequestClaims
    package let username: String
    package let operation: Operation
    /// Must belong to the device and the person.
    package let refreshToken: Secret

    /// The only purpose that there is.
    package static let userUnlock = "user_unlock"
}

/// The signed authorization request of a web login that a ``RequestVerifier`` accepted. The code it
/// leads to is bound to the device that signed, to `state` and to `nonce`.
package struct VerifiedAuthorizationRequest: Sendable {
    package let signingKeyID: KeyIdentifier
    package let clientID: String
    /// Apple's address, or a port of the device's loopback.
    package let redirectURI: String
    package let scope: ScopeSet
    package let state: String
    package let nonce: String
    /// The person who sits at the device, as it says.
    package let loginHint: String?
    package let claims: JSONObject
}
