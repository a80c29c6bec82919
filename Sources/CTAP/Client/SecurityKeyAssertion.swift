// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// An assertion, as the relying party will see it.
package struct SecurityKeyAssertion: Sendable, Equatable {
    package var credentialId: [UInt8]
    package var clientDataJSON: [UInt8]
    package var authenticatorData: [UInt8]
    package var signature: [UInt8]
    package var userHandle: [UInt8]?
    /// Whether the credential belongs to the AppID of the request.
    package var usedAppId: Bool
    package var clientExtensionResults: JSONObject

    /// `AuthenticationResponseJSON` (WebAuthn section 5.1.1).
    package var json: JSONValue {
        var response = JSONObject()
        response["clientDataJSON"] = .string(Base64URL.encode(clientDataJSON))
        response["authenticatorData"] = .string(Base64URL.encode(authenticatorData))
        response["signature"] = .string(Base64URL.encode(signature))
        if let userHandle { response["userHandle"] = .string(Base64URL.encode(userHandle)) }
        return .credential(
            id: credentialId, response: response, extensions: clientExtensionResults)
    }
}
