// SPDX-License-Identifier: Apache-2.0
import Crypto

/// `authenticatorLargeBlobs` (CTAP 2.1 section 6.10.2).
extension SoftwareAuthenticator {
    private var maximumFragment: Int { configuration.maximumMessageSize - 64 }

    func largeBlobs(_ request: LargeBlobsRequest) throws(CTAPStatus) -> LargeBlobsResponse {
        switch (request.get, request.set) {
        case (let count?, nil): return try read(count, request)
        case (nil, let fragment?):
            try write(fragment, request)
            return LargeBlobsResponse()
        default: throw .invalidParameter
        }
    }

    private func read(
        _ count: Int, _ request: LargeBlobsRequest
    ) throws(CTAPStatus) -> LargeBlobsResponse {
        session.upload = nil
        guard request.length == nil, request.pinUvAuthParam == nil,
            request.pinUvAuthProtocol == nil
        else { throw .invalidParameter }
        guard count <= maximumFragment else { throw .invalidLength }
        guard request.offset <= state.largeBlobArray.count else { throw .invalidParameter }
        let fragment = state.largeBlobArray.dropFirst(request.offset).prefix(count)
        return LargeBlobsResponse(config: Array(fragment))
    }

    private func write(
        _ fragment: [UInt8], _ request: LargeBlobsRequest
    ) throws(CTAPStatus) {
        guard fragment.count <= maximumFragment else { throw .invalidLength }
        let upload = try upload(request)
        guard request.offset == upload.content.count else { throw .invalidSequence }
        if isProtected || state.alwaysVerifies {
            guard let parameter = request.pinUvAuthParam else { throw .pinRequired }
            try verifyToken(
                parameter, over: request.authenticatedBytes, request.pinUvAuthProtocol,
                permission: .largeBlobWrite)
        }
        guard fragment.count <= upload.length - upload.content.count else {
            throw .invalidParameter
        }
        var longer = upload
        longer.content += fragment
        session.upload = longer
        if longer.content.count == longer.length { try finish(longer.content) }
    }

    /// The upload that the fragment belongs to: a new one at offset 0.
    private func upload(
        _ request: LargeBlobsRequest
    ) throws(CTAPStatus) -> AuthenticatorSession.LargeBlobUpload {
        guard request.offset == 0 else {
            guard request.length == nil else { throw .invalidParameter }
            guard let upload = session.upload else { throw .invalidSequence }
            return upload
        }
        guard let length = request.length else { throw .invalidParameter }
        guard length <= configuration.maximumLargeBlobArray else { throw .largeBlobStorageFull }
        guard length >= AuthenticatorState.emptyLargeBlobArray.count else {
            throw .invalidParameter
        }
        return AuthenticatorSession.LargeBlobUpload(length: length)
    }

    /// The old array stays until the new one is whole and its checksum is right.
    private func finish(_ array: [UInt8]) throws(CTAPStatus) {
        session.upload = nil
        let checksum = SHA256.hash(data: array.dropLast(16)).prefix(16)
        guard checksum.elementsEqual(array.suffix(16)) else { throw .integrityFailure }
        try commit { $0.largeBlobArray = array }
    }
}
