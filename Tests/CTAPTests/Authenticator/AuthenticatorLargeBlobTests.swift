// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Testing

/// `authenticatorLargeBlobs` from the key's side.
@Suite struct AuthenticatorLargeBlobTests {
    private func array(_ content: [UInt8]) -> [UInt8] {
        content + SHA256.hash(data: content).prefix(16)
    }

    private func write(
        _ key: TestKey, _ fragment: [UInt8], at offset: Int, of length: Int?,
        _ token: PINUVAuthToken? = nil
    ) async throws {
        var request = LargeBlobsRequest(set: fragment, offset: offset, length: length)
        if let token {
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
            request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        }
        try await key.send(.largeBlobs(request))
    }

    private func read(_ key: TestKey, _ count: Int, at offset: Int = 0) async throws -> [UInt8]? {
        let request = LargeBlobsRequest(get: count, offset: offset)
        return try LargeBlobsResponse(cbor: await key.send(.largeBlobs(request))).config
    }

    @Test("A fresh key has the empty array; a written one is read back in fragments")
    func fragments() async throws {
        let key = try TestKey()
        #expect(try await read(key, 100) == array([0x80]))
        let blob = array([UInt8](repeating: 3, count: 3000))
        try await write(key, Array(blob.prefix(1984)), at: 0, of: blob.count)
        try await write(key, Array(blob.dropFirst(1984)), at: 1984, of: nil)
        let first = try #require(try await read(key, 1984))
        let second = try #require(try await read(key, 1984, at: 1984))
        #expect(first + second == blob)
        #expect(try await read(key, 10, at: blob.count) == [])
    }

    @Test("Attack 40: an array whose checksum is wrong leaves the old one in place")
    func corrupted() async throws {
        let key = try TestKey()
        let good = array([0x81, 0x01])
        try await write(key, good, at: 0, of: good.count)
        for index in [0, good.count - 1] {
            var bad = good
            bad[index] ^= 1
            await #expect(throws: CTAPStatus.integrityFailure) {
                try await write(key, bad, at: 0, of: bad.count)
            }
        }
        #expect(try await read(key, 100) == good)
    }

    @Test("Attack 40: half an array never replaces the old one")
    func interrupted() async throws {
        let key = try TestKey()
        let blob = array([UInt8](repeating: 3, count: 100))
        try await write(key, Array(blob.prefix(50)), at: 0, of: blob.count)
        _ = try await key.info()
        await #expect(throws: CTAPStatus.invalidSequence) {
            try await write(key, Array(blob.dropFirst(50)), at: 50, of: nil)
        }
        #expect(try await read(key, 100) == array([0x80]))
    }

    @Test("Lengths, offsets and their order are checked")
    func bounds() async throws {
        let key = try TestKey()
        let cases: [(CTAPStatus, [UInt8], Int, Int?)] = [
            (.invalidParameter, [0x80], 0, nil), (.invalidParameter, [0x80], 0, 16),
            (.largeBlobStorageFull, [0x80], 0, 4097), (.invalidSequence, [0x80], 5, nil),
            (.invalidParameter, [0x80], 5, 20),
            (.invalidLength, [UInt8](repeating: 0, count: 1985), 0, 2000),
            (.invalidParameter, [UInt8](repeating: 0, count: 21), 0, 20),
        ]
        for (status, fragment, offset, length) in cases {
            await #expect(throws: status, "\(offset) \(String(describing: length))") {
                try await write(key, fragment, at: offset, of: length)
            }
        }
        await #expect(throws: CTAPStatus.invalidLength) { try await read(key, 1985) }
        await #expect(throws: CTAPStatus.invalidParameter) { try await read(key, 1, at: 18) }
        var both = LargeBlobsRequest(get: 1, offset: 0)
        both.set = [1]
        await #expect(throws: CTAPStatus.invalidParameter) {
            try await key.send(.largeBlobs(both))
        }
    }

    @Test("With a PIN, writing needs a token with its permission; reading never does")
    func permission() async throws {
        let key = try await TestKey.filled()
        let blob = array([0x80])
        await #expect(throws: CTAPStatus.pinRequired) {
            try await write(key, blob, at: 0, of: blob.count)
        }
        let other = try await key.token("1234", .credentialManagement)
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await write(key, blob, at: 0, of: blob.count, other)
        }
        let token = try await key.token("1234", .largeBlobWrite)
        try await write(key, blob, at: 0, of: blob.count, token)
        #expect(try await read(key, 100) == blob)
    }
}
