// SPDX-License-Identifier: Apache-2.0
import CBOR
package import WebAuthn

/// The reply to `authenticatorGetInfo` (CTAP 2.2 section 6.4, with the members of 2.3): what an
/// authenticator is and can do.
package struct AuthenticatorInfo: Sendable, Equatable {
    package var versions: [String]
    package var extensions: [String]?
    package var aaguid: AAGUID
    /// By option id; an absent option has the default of section 6.4.
    package var options: [String: Bool]?
    /// In bytes; absent means 1024.
    package var maxMsgSize: Int?
    /// Best first.
    package var pinUvAuthProtocols: [UInt64]?
    package var maxCredentialCountInList: Int?
    package var maxCredentialIdLength: Int?
    package var transports: [String]?
    package var algorithms: [CTAPCredentialParameters]?
    package var maxSerializedLargeBlobArray: Int?
    package var forcePINChange: Bool?
    /// In code points; absent means 4.
    package var minPINLength: Int?
    package var firmwareVersion: UInt64?
    package var maxCredBlobLength: Int?
    package var maxRPIDsForSetMinPINLength: Int?
    package var preferredPlatformUvAttempts: Int?
    package var uvModality: UInt64?
    package var certifications: [String: UInt64]?
    package var remainingDiscoverableCredentials: Int?
    package var vendorPrototypeConfigCommands: [UInt64]?
    /// CTAP 2.2 from here on.
    package var attestationFormats: [String]?
    package var uvCountSinceLastPinEntry: Int?
    package var longTouchForReset: Bool?
    package var encIdentifier: [UInt8]?
    package var transportsForReset: [String]?
    package var pinComplexityPolicy: Bool?
    package var pinComplexityPolicyURL: [UInt8]?
    package var maxPINLength: Int?
    /// CTAP 2.3.
    package var encCredStoreState: [UInt8]?
    package var authenticatorConfigCommands: [UInt64]?

    package init(versions: [String], aaguid: AAGUID) {
        self.versions = versions
        self.aaguid = aaguid
    }

    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "getInfo")
        versions = try reader.required(try reader.texts(1, "versions"), "versions")
        let model = try reader.required(
            try reader.bytes(3, "aaguid", lengths: 16...16), "aaguid")
        aaguid = try reader.required(AAGUID(model), "aaguid")
        try readOriginalMembers(reader)
        try readLaterMembers(reader)
    }

    private mutating func readOriginalMembers(
        _ reader: CTAPMapReader
    ) throws(CTAPMessageError) {
        extensions = try reader.texts(2, "extensions")
        options = try reader.dictionary(4, "options", \.bool)
        maxMsgSize = try reader.count(5, "maxMsgSize")
        pinUvAuthProtocols = try reader.numbers(6, "pinUvAuthProtocols")
        maxCredentialCountInList = try reader.count(7, "maxCredentialCountInList")
        maxCredentialIdLength = try reader.count(8, "maxCredentialIdLength")
        transports = try reader.texts(9, "transports")
        algorithms = try reader.list(0x0A, "algorithms", CTAPCredentialParameters.init)
        maxSerializedLargeBlobArray = try reader.count(0x0B, "maxSerializedLargeBlobArray")
        forcePINChange = try reader.bool(0x0C, "forcePINChange")
        minPINLength = try reader.count(0x0D, "minPINLength")
        firmwareVersion = try reader.unsigned(0x0E, "firmwareVersion")
        maxCredBlobLength = try reader.count(0x0F, "maxCredBlobLength")
        maxRPIDsForSetMinPINLength = try reader.count(0x10, "maxRPIDsForSetMinPINLength")
        preferredPlatformUvAttempts = try reader.count(0x11, "preferredPlatformUvAttempts")
        uvModality = try reader.unsigned(0x12, "uvModality")
        certifications = try reader.dictionary(0x13, "certifications", \.unsigned)
        remainingDiscoverableCredentials = try reader.count(
            0x14, "remainingDiscoverableCredentials")
        vendorPrototypeConfigCommands = try reader.numbers(0x15, "vendorPrototypeConfigCommands")
    }

    private mutating func readLaterMembers(_ reader: CTAPMapReader) throws(CTAPMessageError) {
        attestationFormats = try reader.texts(0x16, "attestationFormats")
        uvCountSinceLastPinEntry = try reader.count(0x17, "uvCountSinceLastPinEntry")
        longTouchForReset = try reader.bool(0x18, "longTouchForReset")
        encIdentifier = try reader.bytes(0x19, "encIdentifier")
        transportsForReset = try reader.texts(0x1A, "transportsForReset")
        pinComplexityPolicy = try reader.bool(0x1B, "pinComplexityPolicy")
        pinComplexityPolicyURL = try reader.bytes(0x1C, "pinComplexityPolicyURL")
        maxPINLength = try reader.count(0x1D, "maxPINLength")
        encCredStoreState = try reader.bytes(0x1E, "encCredStoreState")
        authenticatorConfigCommands = try reader.numbers(0x1F, "authenticatorConfigCommands")
    }
}

extension AuthenticatorInfo {
    /// Canonical CBOR, without the status byte.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writeOriginalMembers(&writer)
        writeLaterMembers(&writer)
        return writer.encoded
    }

    private func writeOriginalMembers(_ writer: inout CTAPMapWriter) {
        writer.set(1, texts: versions)
        writer.set(2, texts: extensions)
        writer.set(3, bytes: aaguid.bytes)
        writer.set(4, options.map { Self.map($0) { .bool($0) } })
        writer.set(5, count: maxMsgSize)
        writer.set(6, pinUvAuthProtocols.map(Self.array))
        writer.set(7, count: maxCredentialCountInList)
        writer.set(8, count: maxCredentialIdLength)
        writer.set(9, texts: transports)
        writer.set(0x0A, algorithms.map { .array($0.map(\.cbor)) })
        writer.set(0x0B, count: maxSerializedLargeBlobArray)
        writer.set(0x0C, bool: forcePINChange)
        writer.set(0x0D, count: minPINLength)
        writer.set(0x0E, unsigned: firmwareVersion)
        writer.set(0x0F, count: maxCredBlobLength)
        writer.set(0x10, count: maxRPIDsForSetMinPINLength)
        writer.set(0x11, count: preferredPlatformUvAttempts)
        writer.set(0x12, unsigned: uvModality)
        writer.set(0x13, certifications.map { Self.map($0) { .unsigned($0) } })
        writer.set(0x14, count: remainingDiscoverableCredentials)
        writer.set(0x15, vendorPrototypeConfigCommands.map(Self.array))
    }

    private func writeLaterMembers(_ writer: inout CTAPMapWriter) {
        writer.set(0x16, texts: attestationFormats)
        writer.set(0x17, count: uvCountSinceLastPinEntry)
        writer.set(0x18, bool: longTouchForReset)
        writer.set(0x19, bytes: encIdentifier)
        writer.set(0x1A, texts: transportsForReset)
        writer.set(0x1B, bool: pinComplexityPolicy)
        writer.set(0x1C, bytes: pinComplexityPolicyURL)
        writer.set(0x1D, count: maxPINLength)
        writer.set(0x1E, bytes: encCredStoreState)
        writer.set(0x1F, authenticatorConfigCommands.map(Self.array))
    }

    private static func array(_ numbers: [UInt64]) -> CBORValue {
        .array(numbers.map { .unsigned($0) })
    }

    private static func map<Value>(
        _ dictionary: [String: Value], _ cbor: (Value) -> CBORValue
    ) -> CBORValue {
        .map(dictionary.map { CBOREntry(.text($0.key), cbor($0.value)) })
    }
}
