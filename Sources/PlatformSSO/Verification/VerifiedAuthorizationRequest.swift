// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import OAuth

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
