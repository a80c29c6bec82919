// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

extension SecurityKeyAdministration {
    private func blobKey(
        _ credential: DiscoverableCredential
    ) throws(SecurityKeyError) -> SymmetricKey {
        guard let key = credential.largeBlobKey else {
            throw .unsupported("data of this credential")
        }
        return SymmetricKey(data: key)
    }

    /// Returns the data that a relying party stored with a credential.
    package func largeBlob(
        of credential: DiscoverableCredential
    ) async throws(SecurityKeyError) -> [UInt8]? {
        let blobKey = try blobKey(credential)
        return try await key.largeBlobs(failIfDamaged: true).blob(key: blobKey)
    }

    /// Writes the data of a credential; `nil` removes it.
    package func setLargeBlob(
        _ blob: [UInt8]?, of credential: DiscoverableCredential
    ) async throws(SecurityKeyError) {
        let blobKey = try blobKey(credential)
        var array = try await key.largeBlobs()
        guard blob != nil || array.blob(key: blobKey) != nil else { return }
        try array.set(blob, key: blobKey, nonce: random.bytes(12))
        let token = try await token(
            .largeBlobWrite, .writeLargeBlob(relyingParty: credential.relyingParty))
        try await key.write(array, token)
    }

    /// Removes every blob that no credential on the key can decrypt, and returns the number of
    /// removed blobs. It also removes blobs of credentials that are not discoverable, so the caller
    /// prompts first.
    package func removeOrphanedLargeBlobs() async throws(SecurityKeyError) -> Int {
        let keys = try await credentials().compactMap(\.largeBlobKey)
            .map { SymmetricKey(data: $0) }
        var array = try await key.largeBlobs(failIfDamaged: true)
        let before = array.count
        array.retain(openedBy: keys)
        guard array.count < before else { return 0 }
        let token = try await token(
            .largeBlobWrite, .changeConfiguration("remove data without a credential"))
        try await key.write(array, token)
        return before - array.count
    }
}
