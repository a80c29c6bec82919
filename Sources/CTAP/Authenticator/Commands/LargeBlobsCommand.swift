// SPDX-License-Identifier: Apache-2.0
import Crypto

/// `authenticatorLargeBlobs` (CTAP 2.1 section 6.10.2).
struct LargeBlobsCommand {
    private let request: LargeBlobsRequest

    init(_ request: LargeBlobsRequest) { self.request = request }

    func run(_ machine: inout AuthenticatorMachine) throws(CTAPStatus) -> LargeBlobsResponse {
        let maximumFragment = machine.configuration.maximumMessageSize - 64
        switch (request.get, request.set) {
        case (let count?, nil): return try read(count, maximumFragment, &machine)
        case (nil, let fragment?):
            try write(fragment, maximumFragment, &machine)
            return LargeBlobsResponse()
        default: throw .invalidParameter
        }
    }

    private func read(
        _ count: Int, _ maximumFragment: Int, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> LargeBlobsResponse {
        machine.session.upload = nil
        guard request.length == nil, request.pinUvAuthParam == nil,
            request.pinUvAuthProtocol == nil
        else { throw .invalidParameter }
        guard count <= maximumFragment else { throw .invalidLength }
        let array = machine.state.largeBlobArray
        guard request.offset <= array.count else { throw .invalidParameter }
        return LargeBlobsResponse(config: Array(array.dropFirst(request.offset).prefix(count)))
    }

    private func write(
        _ fragment: [UInt8], _ maximumFragment: Int, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) {
        guard fragment.count <= maximumFragment else { throw .invalidLength }
        var upload = try upload(machine)
        guard request.offset == upload.content.count else { throw .invalidSequence }
        if machine.isProtected || machine.state.alwaysVerifies {
            guard let parameter = request.pinUvAuthParam else { throw .pinRequired }
            try machine.verifyToken(
                parameter, over: request.authenticatedBytes, request.pinUvAuthProtocol,
                permission: .largeBlobWrite)
        }
        guard fragment.count <= upload.length - upload.content.count else {
            throw .invalidParameter
        }
        upload.content += fragment
        machine.session.upload = upload
        if upload.content.count == upload.length { try Self.save(upload.content, &machine) }
    }

    /// Returns the upload that the fragment belongs to: a new one at offset 0.
    private func upload(
        _ machine: AuthenticatorMachine
    ) throws(CTAPStatus) -> AuthenticatorSession.LargeBlobUpload {
        guard request.offset == 0 else {
            guard request.length == nil else { throw .invalidParameter }
            guard let upload = machine.session.upload else { throw .invalidSequence }
            return upload
        }
        guard let length = request.length else { throw .invalidParameter }
        guard length <= machine.configuration.maximumLargeBlobArray else {
            throw .largeBlobStorageFull
        }
        guard length >= AuthenticatorState.emptyLargeBlobArray.count else {
            throw .invalidParameter
        }
        return AuthenticatorSession.LargeBlobUpload(length: length)
    }

    /// Replaces the array if the new one has the correct checksum.
    private static func save(
        _ array: [UInt8], _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) {
        machine.session.upload = nil
        let checksum = SHA256.hash(data: array.dropLast(16)).prefix(16)
        guard checksum.elementsEqual(array.suffix(16)) else { throw .integrityFailure }
        try machine.commit { $0.largeBlobArray = array }
    }
}
