// SPDX-License-Identifier: Apache-2.0
package import JOSE
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
