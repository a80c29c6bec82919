// SPDX-License-Identifier: Apache-2.0

extension SecurityKey {
    /// More than any key stores, in bytes.
    private static let greatestArray = 1 << 16

    /// Reads the whole array in portions (CTAP 2.2 section 6.10.2). A damaged array is an empty
    /// one, as the specification requires, unless the caller requests an error.
    package func largeBlobs(
        failIfDamaged: Bool = false
    ) async throws(SecurityKeyError) -> LargeBlobArray {
        let portion = try largeBlobPortion()
        var bytes: [UInt8] = []
        while bytes.count <= Self.greatestArray {
            let request = LargeBlobsRequest(get: portion, offset: bytes.count)
            let reply = try await send(.largeBlobs(request))
            let response = try Self.read { () throws(CTAPMessageError) in
                try LargeBlobsResponse(cbor: reply)
            }
            guard let part = response.config, part.count <= portion else {
                throw .untrustworthyReply("a portion of a wrong length")
            }
            bytes += part
            guard part.count < portion else { continue }
            if let array = LargeBlobArray(serialized: bytes) { return array }
            if failIfDamaged { throw .storedDataDamaged }
            return LargeBlobArray()
        }
        throw .untrustworthyReply("a large-blob array without end")
    }

    /// Writes the whole array in portions.
    ///
    /// - Parameter token: With permission to write; `nil` for a key that protects nothing.
    func write(
        _ array: LargeBlobArray, _ token: PINUVAuthToken?
    ) async throws(SecurityKeyError) {
        let bytes = array.serialized
        guard bytes.count <= (try requireInfo()).maxSerializedLargeBlobArray ?? 1024 else {
            throw .largeBlobStoreFull
        }
        let portion = try largeBlobPortion()
        var offset = 0
        while offset < bytes.count {
            let part = Array(bytes[offset...].prefix(portion))
            var request = LargeBlobsRequest(
                set: part, offset: offset, length: offset == 0 ? bytes.count : nil)
            if let token {
                request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
                request.pinUvAuthProtocol = token.pinProtocol.rawValue
            }
            _ = try await send(.largeBlobs(request))
            offset += part.count
        }
    }

    /// `maxFragmentLength`: the maximum message length less 64 bytes.
    private func largeBlobPortion() throws(SecurityKeyError) -> Int {
        let info = try requireInfo()
        guard info.has(option: "largeBlobs") else { throw .unsupported("storage for large blobs") }
        guard info.messageLimit > 64 else { throw .untrustworthyReply("a tiny message limit") }
        return min(info.messageLimit, Self.greatestArray) - 64
    }
}
