// SPDX-License-Identifier: Apache-2.0
import CBOR

/// `authenticatorMakeCredential` (CTAP 2.2 section 6.1).
package struct MakeCredentialRequest: Sendable, Equatable {
    /// SHA-256 of the client data, 32 bytes.
    package var clientDataHash: [UInt8]
    package var rp: CTAPRelyingParty
    package var user: CTAPUser
    /// Best first.
    package var pubKeyCredParams: [CTAPCredentialParameters]
    package var excludeList: [CTAPCredentialDescriptor]?
    package var extensions: MakeCredentialExtensions?
    package var options: CTAPOptions?
    /// Empty for a probe, which requires only a touch (section 6.1.2, step 1).
    package var pinUvAuthParam: [UInt8]?
    package var pinUvAuthProtocol: UInt8?
    /// 1 vendor-facilitated, 2 platform-managed.
    package var enterpriseAttestation: UInt8?
    /// Best first; CTAP 2.2.
    package var attestationFormatsPreference: [String]?

    package init(
        clientDataHash: [UInt8], rp: CTAPRelyingParty, user: CTAPUser,
        pubKeyCredParams: [CTAPCredentialParameters]
    ) {
        self.clientDataHash = clientDataHash
        self.rp = rp
        self.user = user
        self.pubKeyCredParams = pubKeyCredParams
    }

    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "makeCredential")
        clientDataHash = try reader.required(
            try reader.bytes(1, "clientDataHash", lengths: 32...32), "clientDataHash")
        rp = try CTAPRelyingParty(try reader.required(reader.value(2), "rp"))
        user = try CTAPUser(try reader.required(reader.value(3), "user"))
        pubKeyCredParams = try reader.required(
            try reader.list(4, "pubKeyCredParams", CTAPCredentialParameters.init),
            "pubKeyCredParams")
        excludeList = try reader.list(5, "excludeList", CTAPCredentialDescriptor.init)
        if let value = reader.value(6) { extensions = try MakeCredentialExtensions(value) }
        if let value = reader.value(7) { options = try CTAPOptions(value) }
        pinUvAuthParam = try reader.bytes(8, "pinUvAuthParam")
        pinUvAuthProtocol = try reader.octet(9, "pinUvAuthProtocol")
        enterpriseAttestation = try reader.octet(0x0A, "enterpriseAttestation")
        attestationFormatsPreference = try reader.texts(0x0B, "attestationFormatsPreference")
    }

    /// Canonical CBOR, without the command byte.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, bytes: clientDataHash)
        writer.set(2, rp.cbor)
        writer.set(3, user.cbor)
        writer.set(4, .array(pubKeyCredParams.map(\.cbor)))
        writer.set(5, excludeList.map { .array($0.map(\.cbor)) })
        writer.set(6, extensions?.cbor)
        writer.set(7, options?.cbor)
        writer.set(8, bytes: pinUvAuthParam)
        writer.set(9, octet: pinUvAuthProtocol)
        writer.set(0x0A, octet: enterpriseAttestation)
        writer.set(0x0B, texts: attestationFormatsPreference)
        return writer.encoded
    }
}
