// SPDX-License-Identifier: Apache-2.0

/// The response to U2F_REGISTER (U2F raw message formats v1.2 section 4.3).
package struct U2FRegistration: Sendable, Equatable {
    /// An uncompressed point on P-256, 65 bytes.
    package var publicKey: [UInt8]
    /// At most 255 bytes.
    package var keyHandle: [UInt8]
    /// X.509, DER.
    package var certificate: [UInt8]
    /// ECDSA over 00, application parameter, challenge parameter, key handle and public key; DER.
    package var signature: [UInt8]

    package init(
        publicKey: [UInt8], keyHandle: [UInt8], certificate: [UInt8], signature: [UInt8]
    ) {
        self.publicKey = publicKey
        self.keyHandle = keyHandle
        self.certificate = certificate
        self.signature = signature
    }

    package var bytes: [UInt8] {
        [0x05] + publicKey + [UInt8(clamping: keyHandle.count)] + keyHandle + certificate
            + signature
    }

    /// Reads a response without its status word; `nil` when it is none.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count > 67, bytes[0] == 0x05, bytes[1] == 0x04 else { return nil }
        publicKey = Array(bytes[1...65])
        let length = Int(bytes[66])
        var rest = bytes.dropFirst(67)
        guard length > 0, rest.count > length else { return nil }
        keyHandle = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
        guard let size = Self.sequenceLength(rest), rest.count > size else { return nil }
        certificate = Array(rest.prefix(size))
        signature = Array(rest.dropFirst(size))
        guard signature.count <= 80 else { return nil }
    }

    /// The length of the DER sequence at the start, its header included.
    private static func sequenceLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        let start = bytes.startIndex
        guard bytes.count > 4, bytes[start] == 0x30 else { return nil }
        let first = Int(bytes[start + 1])
        switch first {
        case 0..<0x80: return 2 + first
        case 0x81: return 3 + Int(bytes[start + 2])
        case 0x82: return 4 + (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]))
        default: return nil
        }
    }
}
