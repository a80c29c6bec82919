// SPDX-License-Identifier: Apache-2.0
import CBOR
package import Crypto
import Primitives

/// The serialised large-blob array of a key (CTAP 2.2 section 6.10.3): the blobs of all relying
/// parties, each encrypted under a key that only its credential returns.
package struct LargeBlobArray: Sendable, Equatable {
    /// The elements as received. Those of other credentials are not changed.
    private var elements: [CBORValue]

    /// The maximum length of one blob after decompression, in bytes.
    package static let greatestBlob = 1 << 20
    static let checksumLength = 16

    package init() { elements = [] }

    package var count: Int { elements.count }

    /// Reads the array with its checksum behind; `nil` when that does not fit, as it is before
    /// the first use and after a write that was cut short.
    package init?(serialized bytes: [UInt8]) {
        guard bytes.count > Self.checksumLength else { return nil }
        let body = Array(bytes.dropLast(Self.checksumLength))
        guard ConstantTime.equal(Self.checksum(body), bytes.suffix(Self.checksumLength)),
            let elements = try? CBORValue.decode(body, profile: .rfc8949).items
        else { return nil }
        self.elements = elements
    }

    package var serialized: [UInt8] {
        let body = CBORValue.array(elements).encoded(ordering: .ctap2)
        return body + Self.checksum(body)
    }

    private static func checksum(_ body: [UInt8]) -> ArraySlice<UInt8> {
        Array(SHA256.hash(data: body)).prefix(checksumLength)
    }

    // MARK: Blobs

    /// The blob of a credential.
    package func blob(key: SymmetricKey) -> [UInt8]? {
        for element in elements {
            if let blob = Self.open(element, key) { return blob }
        }
        return nil
    }

    /// Inserts a blob, or replaces the one of the credential; `nil` removes it.
    package mutating func set(
        _ blob: [UInt8]?, key: SymmetricKey, nonce: [UInt8]
    ) throws(SecurityKeyError) {
        elements.removeAll { Self.open($0, key) != nil }
        guard let blob else { return }
        guard blob.count <= Self.greatestBlob, let element = Self.seal(blob, key, nonce) else {
            throw .largeBlobStoreFull
        }
        elements.append(element)
    }

    /// Removes all elements that none of the keys decrypts.
    package mutating func retain(openedBy keys: [SymmetricKey]) {
        elements.removeAll { element in !keys.contains { Self.open(element, $0) != nil } }
    }

    /// "blob", then the original size as eight bytes, the least significant first.
    private static func associatedData(_ size: Int) -> [UInt8] {
        Array("blob".utf8)
            + (0..<8).map { UInt8(truncatingIfNeeded: UInt64(size) >> UInt64($0 * 8)) }
    }

    private static func open(_ element: CBORValue, _ key: SymmetricKey) -> [UInt8]? {
        guard let ciphertext = element[1]?.byteString, ciphertext.count >= 16,
            let nonce = element[2]?.byteString, nonce.count == 12,
            case .unsigned(let number) = element[3], let size = Int(exactly: number),
            size <= greatestBlob,
            let box = try? AES.GCM.SealedBox(
                nonce: try AES.GCM.Nonce(data: nonce), ciphertext: ciphertext.dropLast(16),
                tag: ciphertext.suffix(16)),
            let plain = try? AES.GCM.open(box, using: key, authenticating: associatedData(size))
        else { return nil }
        return RawDeflate.decompress(Array(plain), size: size)
    }

    private static func seal(
        _ blob: [UInt8], _ key: SymmetricKey, _ nonce: [UInt8]
    ) -> CBORValue? {
        guard let compressed = RawDeflate.compress(blob),
            let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(
                compressed, using: key, nonce: nonce, authenticating: associatedData(blob.count))
        else { return nil }
        return .map([
            CBOREntry(.integer(1), .byteString(Array(box.ciphertext) + Array(box.tag))),
            CBOREntry(.integer(2), .byteString(Array(box.nonce))),
            CBOREntry(.integer(3), .unsigned(UInt64(blob.count))),
        ])
    }
}
