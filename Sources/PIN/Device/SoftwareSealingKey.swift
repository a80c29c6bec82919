// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives

/// A sealing key in memory, for machines without hardware that can hold one, and for tests.
///
/// Whoever copies the store copies it too. That alone still allows no guessing; see "What remains"
/// in docs/protocols/pin.md for what hardware adds.
package struct SoftwareSealingKey: PINSealingKey {
    private let key: SymmetricKey

    /// - Parameter key: 32 bytes, otherwise `nil`.
    package init?(_ key: Secret) {
        let bytes = key.reveal()
        guard bytes.count == 32 else { return nil }
        self.key = SymmetricKey(data: bytes)
    }

    package var isHardware: Bool { false }

    /// AES-256-GCM; the nonce is the library's, in front.
    package func seal(
        _ plaintext: [UInt8], context: [UInt8]
    ) async throws(PINSealingKeyError) -> [UInt8] {
        guard let box = try? AES.GCM.seal(plaintext, using: key, authenticating: context),
            let combined = box.combined
        else { throw .unavailable }
        return Array(combined)
    }

    package func open(
        _ sealed: [UInt8], context: [UInt8]
    ) async throws(PINSealingKeyError) -> [UInt8] {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let plaintext = try? AES.GCM.open(box, using: key, authenticating: context)
        else { throw .refused }
        return Array(plaintext)
    }
}
