// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// A new credential, as the relying party will see it.
package struct SecurityKeyRegistration: Sendable, Equatable {
    package var credentialId: [UInt8]
    package var clientDataJSON: [UInt8]
    package var attestationObject: [UInt8]
    package var authenticatorData: [UInt8]
    /// The COSE algorithm of the credential.
    package var algorithm: Int64
    /// How the key can be reached.
    package var transports: [String]
    package var clientExtensionResults: JSONObject

    /// `RegistrationResponseJSON` (WebAuthn section 5.1.1).
    package var json: JSONValue {
        var response = JSONObject()
        response["clientDataJSON"] = .string(Base64URL.encode(clientDataJSON))
        response["attestationObject"] = .string(Base64URL.encode(attestationObject))
        response["authenticatorData"] = .string(Base64URL.encode(authenticatorData))
        response["publicKeyAlgorithm"] = .integer(algorithm)
        response["transports"] = .array(transports.map { .string($0) })
        return .credential(
            id: credentialId, response: response, extensions: clientExtensionResults)
    }
}

/// An assertion, as the relying party will see it.
package struct SecurityKeyAssertion: Sendable, Equatable {
    package var credentialId: [UInt8]
    package var clientDataJSON: [UInt8]
    package var authenticatorData: [UInt8]
    package var signature: [UInt8]
    package var userHandle: [UInt8]?
    /// Whether the credential is an old one of the AppID that was given.
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

extension JSONValue {
    /// The members that both responses share.
    fileprivate static func credential(
        id: [UInt8], response: JSONObject, extensions: JSONObject
    ) -> JSONValue {
        let name = JSONValue.string(Base64URL.encode(id))
        return [
            "id": name, "rawId": name, "type": "public-key",
            "authenticatorAttachment": "cross-platform", "response": .object(response),
            "clientExtensionResults": .object(extensions),
        ]
    }
}
