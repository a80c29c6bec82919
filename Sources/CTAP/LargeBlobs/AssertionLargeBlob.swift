// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives

/// The `largeBlob` extension of a sign-in (WebAuthn section 10.1.5).
struct AssertionLargeBlob: Sendable {
    private let ceremony: AssertionCeremony
    private let token: PINUVAuthToken?

    /// - Parameter token: The one of the sign-in, which may still write.
    init(_ ceremony: AssertionCeremony, _ token: PINUVAuthToken?) {
        self.ceremony = ceremony
        self.token = token
    }

    func result(
        _ request: AssertionExtensionInputs.LargeBlob, _ reply: AssertionReply
    ) async throws(SecurityKeyError) -> JSONValue {
        guard let bytes = reply.response.largeBlobKey else {
            if case .write = request { return ["written": false] }
            return [:]
        }
        let key = SymmetricKey(data: bytes)
        switch request {
        case .read:
            guard let blob = try await ceremony.key.largeBlobs().blob(key: key) else { return [:] }
            return ["blob": .string(Base64URL.encode(blob))]
        case .write(let blob): return ["written": .bool(try await write(blob, key))]
        }
    }

    /// A blob that does not fit is not a failure of the sign-in.
    private func write(
        _ blob: [UInt8], _ key: SymmetricKey
    ) async throws(SecurityKeyError) -> Bool {
        do {
            var array = try await ceremony.key.largeBlobs()
            try array.set(blob, key: key, nonce: ceremony.random.bytes(12))
            let needsToken = ceremony.info.hasPIN || ceremony.info.hasBuiltInVerification
            guard token != nil || !needsToken else { return false }
            try await ceremony.key.write(array, token)
            return true
        } catch {
            guard error == .largeBlobStoreFull || error == .requestTooLarge else { throw error }
            return false
        }
    }
}
