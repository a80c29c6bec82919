// SPDX-License-Identifier: Apache-2.0
import CBOR

/// `authenticatorGetAssertion` (CTAP 2.2 section 6.2).
package struct GetAssertionRequest: Sendable, Equatable {
    package var rpId: String
    /// SHA-256 of the client data, 32 bytes.
    package var clientDataHash: [UInt8]
    package var allowList: [CTAPCredentialDescriptor]?
    package var extensions: GetAssertionExtensions?
    package var options: CTAPOptions?
    /// Empty for a probe, which requires only a touch (section 6.2.2, step 1).
    package var pinUvAuthParam: [UInt8]?
    package var pinUvAuthProtocol: UInt8?

    package init(rpId: String, clientDataHash: [UInt8]) {
        self.rpId = rpId
        self.clientDataHash = clientDataHash
    }

    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "getAssertion")
        rpId = try reader.required(try reader.text(1, "rpId"), "rpId")
        clientDataHash = try reader.required(
            try reader.bytes(2, "clientDataHash", lengths: 32...32), "clientDataHash")
        allowList = try reader.list(3, "allowList", CTAPCredentialDescriptor.init)
        if let value = reader.value(4) { extensions = try GetAssertionExtensions(value) }
        if let value = reader.value(5) { options = try CTAPOptions(value) }
        pinUvAuthParam = try reader.bytes(6, "pinUvAuthParam")
        pinUvAuthProtocol = try reader.octet(7, "pinUvAuthProtocol")
    }

    /// Canonical CBOR, without the command byte.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, text: rpId)
        writer.set(2, bytes: clientDataHash)
        writer.set(3, allowList.map { .array($0.map(\.cbor)) })
        writer.set(4, extensions?.cbor)
        writer.set(5, options?.cbor)
        writer.set(6, bytes: pinUvAuthParam)
        writer.set(7, octet: pinUvAuthProtocol)
        return writer.encoded
    }
}
