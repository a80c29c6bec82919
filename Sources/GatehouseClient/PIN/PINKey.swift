// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN

/// The profile's key, as the PIN protocol's device half sees it.
struct PINKey: PINDeviceKey, PINSealingKey {
    let key: any StoredKey
    let publicKey: PublicJWK

    func signature(over input: [UInt8]) async throws -> [UInt8] {
        try await key.signature(over: input)
    }

    func seal(
        _ plaintext: [UInt8], context: [UInt8]
    ) async throws(PINSealingKeyError) -> [UInt8] {
        do { return try await key.seal(plaintext, context: context) } catch {
            throw Self.failure(error)
        }
    }

    func open(
        _ sealed: [UInt8], context: [UInt8]
    ) async throws(PINSealingKeyError) -> [UInt8] {
        do { return try await key.open(sealed, context: context) } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: any Error) -> PINSealingKeyError {
        (error as? StoreError)?.isDamage == true ? .refused : .unavailable
    }
}
