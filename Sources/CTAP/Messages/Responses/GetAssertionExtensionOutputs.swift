// SPDX-License-Identifier: Apache-2.0
package import CBOR

/// The extension outputs of getAssertion, a part of the authenticator data.
package struct GetAssertionExtensionOutputs: Sendable, Equatable {
    package var credBlob: [UInt8]?
    /// One or two outputs of 32 bytes, encrypted: 32 or 64 bytes under protocol one, 48 or 80
    /// under protocol two.
    package var hmacSecret: [UInt8]?
    package var thirdPartyPayment: Bool?

    package init() {}

    package init(_ value: CBORValue) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(value, "extensions")
        credBlob = try reader.bytes("credBlob", "credBlob")
        hmacSecret = try reader.bytes("hmac-secret", "hmac-secret", lengths: 32...80)
        thirdPartyPayment = try reader.bool("thirdPartyPayment", "thirdPartyPayment")
    }

    /// `nil` if there is no output: the ED flag is then clear.
    package var cbor: CBORValue? {
        var writer = CTAPMapWriter()
        writer.set("credBlob", bytes: credBlob)
        writer.set("hmac-secret", bytes: hmacSecret)
        writer.set("thirdPartyPayment", bool: thirdPartyPayment)
        return writer.entries.isEmpty ? nil : writer.cbor
    }
}
