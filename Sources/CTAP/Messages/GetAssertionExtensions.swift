// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// Extension inputs of getAssertion (CTAP 2.2 section 12). Unknown ones are ignored.
package struct GetAssertionExtensions: Sendable, Equatable {
    package var credBlob: Bool?
    package var largeBlobKey: Bool?
    package var hmacSecret: HMACSecretInput?
    package var thirdPartyPayment: Bool?

    package init() {}

    package init(_ value: CBORValue) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(value, "extensions")
        credBlob = try reader.bool("credBlob", "credBlob")
        largeBlobKey = try reader.bool("largeBlobKey", "largeBlobKey")
        if let input = reader.value("hmac-secret") { hmacSecret = try HMACSecretInput(input) }
        thirdPartyPayment = try reader.bool("thirdPartyPayment", "thirdPartyPayment")
    }

    /// `nil` if there is no extension: the member is then omitted.
    package var cbor: CBORValue? {
        var writer = CTAPMapWriter()
        writer.set("credBlob", bool: credBlob)
        writer.set("largeBlobKey", bool: largeBlobKey)
        writer.set("hmac-secret", hmacSecret?.cbor)
        writer.set("thirdPartyPayment", bool: thirdPartyPayment)
        return writer.entries.isEmpty ? nil : writer.cbor
    }
}
