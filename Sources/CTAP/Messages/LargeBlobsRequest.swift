// SPDX-License-Identifier: Apache-2.0
import Crypto

/// `authenticatorLargeBlobs` (CTAP 2.2 section 6.10).
package struct LargeBlobsRequest: Sendable, Equatable {
    /// The number of bytes to read.
    package var get: Int?
    /// A fragment to write.
    package var set: [UInt8]?
    package var offset: Int
    /// The length of the whole array; only with the first fragment.
    package var length: Int?
    package var pinUvAuthParam: [UInt8]?
    package var pinUvAuthProtocol: UInt8?

    package init(get: Int, offset: Int) {
        self.get = get
        self.offset = offset
    }

    package init(set: [UInt8], offset: Int, length: Int?) {
        self.set = set
        self.offset = offset
        self.length = length
    }

    package init(cbor bytes: [UInt8]) throws(CTAPMessageError) {
        let reader = try CTAPMapReader(bytes, "largeBlobs")
        get = try reader.count(1, "get")
        set = try reader.bytes(2, "set")
        offset = try reader.required(try reader.count(3, "offset"), "offset")
        length = try reader.count(4, "length")
        pinUvAuthParam = try reader.bytes(5, "pinUvAuthParam")
        pinUvAuthProtocol = try reader.octet(6, "pinUvAuthProtocol")
    }

    /// Canonical CBOR, without the command byte.
    package func encode() -> [UInt8] {
        var writer = CTAPMapWriter()
        writer.set(1, count: get)
        writer.set(2, bytes: set)
        writer.set(3, count: offset)
        writer.set(4, count: length)
        writer.set(5, bytes: pinUvAuthParam)
        writer.set(6, octet: pinUvAuthProtocol)
        return writer.encoded
    }

    /// The bytes that `pinUvAuthParam` authenticates when a fragment is written (section 6.10.2).
    package var authenticatedBytes: [UInt8] {
        let offset = UInt32(clamping: offset)
        let littleEndian = (0..<4).map { UInt8(truncatingIfNeeded: offset >> UInt32($0 * 8)) }
        return [UInt8](repeating: 0xFF, count: 32) + [0x0C, 0x00] + littleEndian
            + Array(SHA256.hash(data: set ?? []))
    }
}
