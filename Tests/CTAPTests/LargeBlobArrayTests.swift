// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Testing

@Suite struct LargeBlobArrayTests {
    private let key = SymmetricKey(data: [UInt8](repeating: 1, count: 32))
    private let other = SymmetricKey(data: [UInt8](repeating: 2, count: 32))
    private let nonce = [UInt8](repeating: 3, count: 12)

    @Test("the empty array has the bytes of CTAP 2.2 section 6.10")
    func initial() {
        #expect(LargeBlobArray().serialized == hex("8076be8b528d0075f7aae98d6fa57a6d3c"))
        #expect(LargeBlobArray(serialized: hex("8076be8b528d0075f7aae98d6fa57a6d3c"))?.count == 0)
    }

    @Test("a blob is found by its own key only, replaced, and taken out")
    func blobs() throws {
        var array = LargeBlobArray()
        try array.set([1, 2, 3], key: key, nonce: nonce)
        try array.set([4], key: other, nonce: nonce)
        try array.set([5, 6], key: key, nonce: nonce)
        let read = try #require(LargeBlobArray(serialized: array.serialized))
        #expect(read.count == 2)
        #expect(read.blob(key: key) == [5, 6])
        #expect(read.blob(key: other) == [4])
        try array.set(nil, key: key, nonce: nonce)
        #expect(array.blob(key: key) == nil)
        try array.set([], key: key, nonce: nonce)
        #expect(array.blob(key: key) == [])
        array.retain(openedBy: [other])
        #expect(array.count == 1)
    }

    @Test("Attack 40: one changed byte anywhere makes the array another's or damaged, never a trap")
    func damage() throws {
        var array = LargeBlobArray()
        try array.set([UInt8](repeating: 7, count: 500), key: key, nonce: nonce)
        let bytes = array.serialized
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x20
            #expect(LargeBlobArray(serialized: changed) == nil)
            #expect(LargeBlobArray(serialized: Array(bytes.prefix(index))) == nil)
        }
    }

    @Test("Attack 40: an element whose size is a lie opens to nothing")
    func lies() throws {
        var array = LargeBlobArray()
        try array.set([UInt8](repeating: 0, count: 5000), key: key, nonce: nonce)
        // {1: ciphertext, 2: nonce, 3: 5000}: the size ends the element.
        var body = Array(array.serialized.dropLast(16))
        body[body.count - 1] ^= 1
        let changed = body + Array(SHA256.hash(data: body)).prefix(16)
        let read = try #require(LargeBlobArray(serialized: changed))
        #expect(read.count == 1)
        #expect(read.blob(key: key) == nil)
    }

    @Test("a blob beyond every bound is refused")
    func tooLarge() {
        var array = LargeBlobArray()
        #expect(throws: SecurityKeyError.largeBlobStoreFull) {
            try array.set([UInt8](repeating: 0, count: 1 << 20 + 1), key: key, nonce: nonce)
        }
    }
}
