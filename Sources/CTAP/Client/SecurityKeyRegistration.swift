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
    /// The transports of the key.
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
