// SPDX-License-Identifier: Apache-2.0
import CBOR

/// `authenticatorConfig` (CTAP 2.2 section 6.11). It has no reply but the status.
package struct ConfigRequest: Sendable, Equatable {
    package enum Subcommand: UInt8, Sendable, CaseIterable {
        case enableEnterpriseAttestation = 0x01
        case toggleAlwaysUv = 0x02
        case setMinPINLength = 0x03
        /// CTAP 2.3.
        case enableLongTouchForReset = 0x04
        case vendorPrototype = 0xFF
    }

    package var subcommand: Subcommand
    /// Parameters of setMinPINLength, in code points.
    package var newMinPINLength: Int?
    package var minPinLengthRPIDs: [String]?
    package var forceChangePin: Bool?
    /// CTAP 2.2.
    package var pinComplexityPolicy: Bool?
    package var pinUvAuthProtocol: UInt8?
    package var pinUvAuthParam: [UInt8]?
    /// The subcommand parameters as they were received, which is what is authenticated.
    private var receivedParameters: [UInt8]?

    package init(_ subcommand: Subcommand) { self.subcommand = subcommand }

    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "config")
        subcommand = try reader.required(try reader.subcommand(1), "subCommand")
        if let parameters = try reader.map(2, "subCommandParams") {
            if subcommand == .setMinPINLength {
                newMinPINLength = try parameters.count(1, "newMinPINLength")
                minPinLengthRPIDs = try parameters.texts(2, "minPinLengthRPIDs")
                forceChangePin = try parameters.bool(3, "forceChangePin")
                pinComplexityPolicy = try parameters.bool(4, "pinComplexityPolicy")
            }
            receivedParameters = CBORValue.map(parameters.entries).encoded(ordering: .ctap2)
        }
        pinUvAuthProtocol = try reader.octet(3, "pinUvAuthProtocol")
        pinUvAuthParam = try reader.bytes(4, "pinUvAuthParam")
    }

    private var parameters: CBORValue? {
        var writer = CTAPMapWriter()
        writer.set(1, count: newMinPINLength)
        writer.set(2, texts: minPinLengthRPIDs)
        writer.set(3, bool: forceChangePin)
        writer.set(4, bool: pinComplexityPolicy)
        return writer.entries.isEmpty ? nil : writer.cbor
    }

    /// Canonical CBOR, without the command byte.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, octet: subcommand.rawValue)
        writer.set(2, parameters)
        writer.set(3, octet: pinUvAuthProtocol)
        writer.set(4, bytes: pinUvAuthParam)
        return writer.encoded
    }

    /// The bytes that `pinUvAuthParam` authenticates (section 6.11).
    package var authenticatedBytes: [UInt8] {
        [UInt8](repeating: 0xFF, count: 32) + [CTAPCommand.config.rawValue, subcommand.rawValue]
            + (receivedParameters ?? parameters?.encoded(ordering: .ctap2) ?? [])
    }
}
