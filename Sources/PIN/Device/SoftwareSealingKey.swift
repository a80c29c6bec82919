// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives

/// A sealing key in memory, for devices without key hardware, and for tests.
///
/// A copy of the store includes the key. A copy alone still allows no guesses; see "What remains"
/// in docs/protocols/pin.md for the benefit of hardware.
package struct SoftwareSealingKey: PINSealingKey {
    private let key: SymmetricKey

    /// - Parameter key: 32 bytes, otherwise `nil`.
    package init?(_ key: Secret) {
        let bytes = key.reveal()
        guard bytes.count == 32 else { return nil }
        self.key = SymmetricKey(data: bytes)
    }

    /// AES-256-GCM; the library's nonce precedes the result.
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
