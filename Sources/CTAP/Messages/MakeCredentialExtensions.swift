// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// Extension inputs of makeCredential (CTAP 2.2 section 12). Unknown ones are ignored.
package struct MakeCredentialExtensions: Sendable, Equatable {
    /// 1 userVerificationOptional, 2 …OptionalWithCredentialIDList, 3 …Required.
    package var credProtect: UInt8?
    /// At most the `maxCredBlobLength` of the authenticator.
    package var credBlob: [UInt8]?
    package var largeBlobKey: Bool?
    package var minPinLength: Bool?
    package var pinComplexityPolicy: Bool?
    package var hmacSecret: Bool?
    package var hmacSecretMC: HMACSecretInput?
    package var thirdPartyPayment: Bool?

    package init() {}

    package init(_ value: CBORValue) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(value, "extensions")
        credProtect = try reader.octet("credProtect", "credProtect")
        credBlob = try reader.bytes("credBlob", "credBlob")
        largeBlobKey = try reader.bool("largeBlobKey", "largeBlobKey")
        minPinLength = try reader.bool("minPinLength", "minPinLength")
        pinComplexityPolicy = try reader.bool("pinComplexityPolicy", "pinComplexityPolicy")
        hmacSecret = try reader.bool("hmac-secret", "hmac-secret")
        if let input = reader.value("hmac-secret-mc") { hmacSecretMC = try HMACSecretInput(input) }
        thirdPartyPayment = try reader.bool("thirdPartyPayment", "thirdPartyPayment")
    }

    /// `nil` if there is no extension: the member is then omitted.
    package var cbor: CBORValue? {
        var writer = CTAPMapWriter()
        writer.set("credProtect", octet: credProtect)
        writer.set("credBlob", bytes: credBlob)
        writer.set("largeBlobKey", bool: largeBlobKey)
        writer.set("minPinLength", bool: minPinLength)
        writer.set("pinComplexityPolicy", bool: pinComplexityPolicy)
        writer.set("hmac-secret", bool: hmacSecret)
        writer.set("hmac-secret-mc", hmacSecretMC?.cbor)
        writer.set("thirdPartyPayment", bool: thirdPartyPayment)
        return writer.entries.isEmpty ? nil : writer.cbor
    }
}
