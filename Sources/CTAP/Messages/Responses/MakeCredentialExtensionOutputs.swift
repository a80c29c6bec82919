// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// The extension outputs of makeCredential, a part of the authenticator data.
package struct MakeCredentialExtensionOutputs: Sendable, Equatable {
    package var credProtect: UInt8?
    /// Whether the blob was stored.
    package var credBlob: Bool?
    package var minPinLength: Int?
    package var pinComplexityPolicy: Bool?
    package var hmacSecret: Bool?
    /// Encrypted outputs, as those of ``GetAssertionExtensionOutputs/hmacSecret``.
    package var hmacSecretMC: [UInt8]?
    package var thirdPartyPayment: Bool?

    package init() {}

    package init(_ value: CBORValue) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(value, "extensions")
        credProtect = try reader.octet("credProtect", "credProtect")
        credBlob = try reader.bool("credBlob", "credBlob")
        minPinLength = try reader.count("minPinLength", "minPinLength")
        pinComplexityPolicy = try reader.bool("pinComplexityPolicy", "pinComplexityPolicy")
        hmacSecret = try reader.bool("hmac-secret", "hmac-secret")
        hmacSecretMC = try reader.bytes("hmac-secret-mc", "hmac-secret-mc", lengths: 32...80)
        thirdPartyPayment = try reader.bool("thirdPartyPayment", "thirdPartyPayment")
    }

    /// `nil` if there is no output: the ED flag is then clear.
    package var cbor: CBORValue? {
        var writer = CTAPMapWriter()
        writer.set("credProtect", octet: credProtect)
        writer.set("credBlob", bool: credBlob)
        writer.set("minPinLength", count: minPinLength)
        writer.set("pinComplexityPolicy", bool: pinComplexityPolicy)
        writer.set("hmac-secret", bool: hmacSecret)
        writer.set("hmac-secret-mc", bytes: hmacSecretMC)
        writer.set("thirdPartyPayment", bool: thirdPartyPayment)
        return writer.entries.isEmpty ? nil : writer.cbor
    }
}
