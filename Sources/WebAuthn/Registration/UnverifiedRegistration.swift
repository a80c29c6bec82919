// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// A client's unverified new credential: `RegistrationResponseJSON` (section 5.1), decoded.
package struct UnverifiedRegistration: Sendable {
    /// `rawId`, equal to `id`.
    package let id: [UInt8]
    package let clientDataJSON: [UInt8]
    package let attestationObject: [UInt8]
    /// The transports of the authenticator, as section 5.4.4 names them; at most 16.
    package let transports: [String]
    package let authenticatorAttachment: AuthenticatorAttachment?
    package let clientExtensionResults: JSONObject

    /// The longest response that is read, in bytes.
    package static let maximumBytes = 65536

    package init(
        id: [UInt8], clientDataJSON: [UInt8], attestationObject: [UInt8],
        transports: [String] = [], authenticatorAttachment: AuthenticatorAttachment? = nil,
        clientExtensionResults: JSONObject = JSONObject()
    ) {
        self.id = id
        self.clientDataJSON = clientDataJSON
        self.attestationObject = attestationObject
        self.transports = transports
        self.authenticatorAttachment = authenticatorAttachment
        self.clientExtensionResults = clientExtensionResults
    }

    /// Reads the JSON text that `PublicKeyCredential.toJSON()` makes.
    package init(json bytes: [UInt8]) throws(WebAuthnRefusal) {
        try self.init(json: try ResponseReader.parse(bytes, ceremony: .registration))
    }

    /// Step 7.1.3: the response is an attestation response. Its copies of the public key and the
    /// authenticator data are not read, because the attestation object contains the originals.
    package init(json: JSONValue) throws(WebAuthnRefusal) {
        let reader = try ResponseReader(json, ceremony: .registration)
        id = try reader.credentialId()
        clientDataJSON = try reader.bytes("clientDataJSON")
        attestationObject = try reader.bytes("attestationObject")
        transports = try reader.transports()
        authenticatorAttachment = try reader.authenticatorAttachment()
        clientExtensionResults = try reader.clientExtensionResults()
    }
}

/// The description contains only the credential's id: client data and extension outputs contain
/// values that must not reach a log (attack list 28, 42).
extension UnverifiedRegistration: CustomStringConvertible, CustomReflectable {
    package var description: String { "UnverifiedRegistration(\(Base64URL.encode(id)))" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
