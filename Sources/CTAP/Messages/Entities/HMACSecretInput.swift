// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// The input of the hmac-secret extension to getAssertion (CTAP 2.2 section 12.5), and of
/// hmac-secret-mc to makeCredential (section 12.8).
package struct HMACSecretInput: Sendable, Equatable {
    package var keyAgreement: KeyAgreementKey
    /// One or two salts of 32 bytes, encrypted.
    package var saltEnc: [UInt8]
    package var saltAuth: [UInt8]
    /// `nil` means protocol one.
    package var pinUvAuthProtocol: UInt8?

    package init(
        keyAgreement: KeyAgreementKey, saltEnc: [UInt8], saltAuth: [UInt8],
        pinUvAuthProtocol: UInt8?
    ) {
        self.keyAgreement = keyAgreement
        self.saltEnc = saltEnc
        self.saltAuth = saltAuth
        self.pinUvAuthProtocol = pinUvAuthProtocol
    }

    package init(_ value: CBORValue) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(value, "hmac-secret")
        keyAgreement = try KeyAgreementKey(
            try reader.required(reader.value(1), "keyAgreement"))
        saltEnc = try reader.required(try reader.bytes(2, "saltEnc"), "saltEnc")
        saltAuth = try reader.required(try reader.bytes(3, "saltAuth"), "saltAuth")
        pinUvAuthProtocol = try reader.octet(4, "pinUvAuthProtocol")
    }

    package var cbor: CBORValue {
        var writer = CTAPMapWriter()
        writer.set(1, keyAgreement.cbor)
        writer.set(2, bytes: saltEnc)
        writer.set(3, bytes: saltAuth)
        writer.set(4, octet: pinUvAuthProtocol)
        return writer.cbor
    }
}
