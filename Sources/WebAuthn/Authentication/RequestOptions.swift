// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// `PublicKeyCredentialRequestOptionsJSON` (section 5.1.10): what a page hands to
/// `PublicKeyCredential.parseRequestOptionsFromJSON()`.
package struct RequestOptions: Sendable {
    package var relyingPartyId: String
    /// At least 16 random bytes (section 13.4.3), made for this ceremony alone.
    package var challenge: [UInt8]
    /// In milliseconds.
    package var timeout: Int64 = 300_000
    /// Empty if the person is not identified yet and chooses a discoverable credential.
    package var allowCredentials: [CredentialDescriptor] = []
    package var userVerification: UserVerificationRequirement = .preferred
    package var hints: [CredentialHint] = []
    package var extensions = AuthenticationExtensions()

    package init(relyingParty: RelyingParty, challenge: [UInt8]) {
        relyingPartyId = relyingParty.id
        self.challenge = challenge
    }

    package var json: JSONValue {
        var options = JSONObject()
        options["challenge"] = .string(Base64URL.encode(challenge))
        options["timeout"] = .integer(timeout)
        options["rpId"] = .string(relyingPartyId)
        options["allowCredentials"] = .array(allowCredentials.map(\.json))
        options["userVerification"] = .string(userVerification.rawValue)
        options["hints"] = .array(hints.map { .string($0.rawValue) })
        options["extensions"] = .object(extensions.json)
        return .object(options)
    }
}
