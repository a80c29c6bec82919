// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// A client's unverified assertion: `AuthenticationResponseJSON` (section 5.1), decoded.
package struct UnverifiedAssertion: Sendable {
    /// `rawId`, equal to `id`: by it the caller finds the stored credential.
    package let id: [UInt8]
    package let clientDataJSON: [UInt8]
    package let authenticatorData: [UInt8]
    package let signature: [UInt8]
    /// The `user.id` of the options that made the credential; at most 64 bytes.
    package let userHandle: [UInt8]?
    package let authenticatorAttachment: AuthenticatorAttachment?
    package let clientExtensionResults: JSONObject

    package init(
        id: [UInt8], clientDataJSON: [UInt8], authenticatorData: [UInt8], signature: [UInt8],
        userHandle: [UInt8]? = nil, authenticatorAttachment: AuthenticatorAttachment? = nil,
        clientExtensionResults: JSONObject = JSONObject()
    ) {
        self.id = id
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
        self.authenticatorAttachment = authenticatorAttachment
        self.clientExtensionResults = clientExtensionResults
    }

    /// Reads the JSON text that `PublicKeyCredential.toJSON()` makes.
    package init(json bytes: [UInt8]) throws(WebAuthnRefusal) {
        try self.init(json: try ResponseReader.parse(bytes, ceremony: .authentication))
    }

    /// Step 7.2.3: the response is an assertion.
    package init(json: JSONValue) throws(WebAuthnRefusal) {
        let reader = try ResponseReader(json, ceremony: .authentication)
        id = try reader.credentialId()
        clientDataJSON = try reader.bytes("clientDataJSON")
        authenticatorData = try reader.bytes("authenticatorData")
        signature = try reader.bytes("signature")
        userHandle = try reader.optionalBytes("userHandle")
        authenticatorAttachment = try reader.authenticatorAttachment()
        clientExtensionResults = try reader.clientExtensionResults()
        if let userHandle, !(1...64 ~= userHandle.count) {
            throw WebAuthnRefusal(
                CeremonyStep(.authentication, 3), .responseMalformed, "userHandle of that length")
        }
    }
}

/// The description contains only the credential's id: client data and extension outputs contain
/// values that must not reach a log (attack list 28, 42).
extension UnverifiedAssertion: CustomStringConvertible, CustomReflectable {
    package var description: String { "UnverifiedAssertion(\(Base64URL.encode(id)))" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
