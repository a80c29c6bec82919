// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Testing

/// authenticatorLargeBlobs as steps of the machine.
@Suite struct LargeBlobsCommandTests {
    /// An array of CBOR with its checksum.
    private static let array: [UInt8] = {
        let content: [UInt8] = [0x81, 0x43, 1, 2, 3]
        return content + Array(SHA256.hash(data: content).prefix(16))
    }()

    private func write(_ range: Range<Int>, length: Int? = nil) -> CTAPRequest {
        .largeBlobs(
            LargeBlobsRequest(
                set: Array(Self.array[range]), offset: range.lowerBound, length: length))
    }

    private func read(_ key: inout TestMachine) throws -> [UInt8]? {
        try LargeBlobsResponse(
            cbor: key.run(.largeBlobs(LargeBlobsRequest(get: 100, offset: 0)))
        ).config
    }

    @Test("The last fragment saves the array")
    func mainPath() throws {
        var key = try TestMachine()
        let saves = key.store.saves.count
        _ = try key.run(write(0..<10, length: 21))
        #expect(key.store.saves.count == saves)
        _ = try key.run(write(10..<21))
        #expect(key.store.saves.last?.largeBlobArray == Self.array)
        #expect(try read(&key) == Self.array)
    }

    @Test("A fragment out of sequence, a wrong checksum and a long array are refused")
    func refusals() throws {
        var key = try TestMachine()
        let before = try read(&key)
        #expect(key.begin(write(10..<21)) == .status(.invalidSequence))
        #expect(key.begin(write(0..<10)) == .status(.invalidParameter))
        #expect(key.begin(write(0..<10, length: 4097)) == .status(.largeBlobStorageFull))
        #expect(key.begin(write(0..<10, length: 16)) == .status(.invalidParameter))
        _ = try key.run(write(0..<10, length: 21))
        #expect(key.begin(write(11..<21)) == .status(.invalidSequence))
        var wrong = Self.array
        wrong[3] ^= 1
        #expect(
            key.begin(.largeBlobs(LargeBlobsRequest(set: wrong, offset: 0, length: 21)))
                == .status(.integrityFailure))
        #expect(try read(&key) == before)
        #expect(
            key.begin(.largeBlobs(LargeBlobsRequest(get: 4096, offset: 0)))
                == .status(.invalidLength))
        #expect(
            key.begin(.largeBlobs(LargeBlobsRequest(get: 1, offset: 18)))
                == .status(.invalidParameter))
    }

    @Test("Another command ends an upload")
    func interrupted() throws {
        var key = try TestMachine()
        _ = try key.run(write(0..<10, length: 21))
        _ = try key.run(.getInfo)
        #expect(key.begin(write(10..<21)) == .status(.invalidSequence))
    }

    @Test("With a PIN, writing requires a token with its permission")
    func token() throws {
        var key = try TestMachine()
        try key.setPIN("1234")
        #expect(key.begin(write(0..<21, length: 21)) == .status(.pinRequired))
        var request = LargeBlobsRequest(set: Self.array, offset: 0, length: 21)
        request.pinUvAuthProtocol = 2
        let other = try key.token("1234", .credentialManagement)
        request.pinUvAuthParam = other.authenticate(request.authenticatedBytes)
        #expect(key.begin(.largeBlobs(request)) == .status(.pinAuthInvalid))
        let token = try key.token("1234", .largeBlobWrite)
        request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        _ = try key.run(.largeBlobs(request))
        #expect(key.store.saves.last?.largeBlobArray == Self.array)
    }
}
