// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// Values that a browser carries for us, in place of a row of ours.
extension DerivedKeys {
    private static let saltLength = 16
    private static let tagLength = 16
    /// Each key encrypts one value, so the nonce is always the same (RFC 5116 section 3.1).
    private static let nonce = [UInt8](repeating: 0, count: 12)

    /// Seals `bytes` under a key of its own, so that strangers may ask for as many as they like: with
    /// one key for all, AES-GCM's random nonces would be used up (NIST SP 800-38D section 8.3).
    ///
    /// - Parameter context: what the value is for; it opens for nothing else.
    func lend(
        _ bytes: [UInt8], context: String, random: any RandomSource
    ) throws -> [UInt8] {
        let salt = random.bytes(Self.saltLength)
        let box = try AES.GCM.seal(
            bytes, using: key(salt, context), nonce: AES.GCM.Nonce(data: Self.nonce))
        return salt + Array(box.ciphertext) + Array(box.tag)
    }

    /// What ``lend(_:context:random:)`` sealed; `nil` when it was changed or is for something else.
    func takeBack(_ sealed: [UInt8], context: String) -> [UInt8]? {
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
