// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives

/// Encrypted values that a browser stores, so that the provider needs no row for them.
extension DerivedKeys {
    private static let saltLength = 16
    private static let tagLength = 16
    /// A key encrypts only one value, so the nonce can be constant (RFC 5116 section 3.1).
    private static let nonce = [UInt8](repeating: 0, count: 12)

    /// Seals `bytes` under a key that is derived for this value. The number of values is unlimited,
    /// because unauthenticated clients can request them; a shared key would exhaust the random
    /// nonces of AES-GCM (NIST SP 800-38D section 8.3).
    ///
    /// - Parameter context: the purpose of the value. It can only be opened with the same context.
    package func lend(
        _ bytes: [UInt8], context: String, random: any RandomSource
    ) throws -> [UInt8] {
        let salt = random.bytes(Self.saltLength)
        let box = try AES.GCM.seal(
            bytes, using: key(salt, context), nonce: AES.GCM.Nonce(data: Self.nonce))
        return salt + Array(box.ciphertext) + Array(box.tag)
    }

    /// Opens a value of ``lend(_:context:random:)``. Returns `nil` if it was changed or has another
    /// context.
    package func openLent(_ sealed: [UInt8], context: String) -> [UInt8]? {
        guard sealed.count > Self.saltLength + Self.tagLength else { return nil }
        let salt = Array(sealed.prefix(Self.saltLength))
        let box = try? AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: Self.nonce),
            ciphertext: sealed.dropFirst(Self.saltLength).dropLast(Self.tagLength),
            tag: sealed.suffix(Self.tagLength))
        return box.flatMap { try? AES.GCM.open($0, using: key(salt, context)) }.map(Array.init)
    }

    private func key(_ salt: [UInt8], _ context: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: lendingKey, salt: salt, info: Array(context.utf8),
            outputByteCount: 32)
    }
}
