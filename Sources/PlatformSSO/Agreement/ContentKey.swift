// SPDX-License-Identifier: Apache-2.0
import JOSE

/// The key that encrypts a message: Concat KDF for `A256GCM` (RFC 7518 section 4.6.2, Apple
/// "Performing encryption verification").
package enum ContentKey {
    /// One round of SHA-256 over `00000001 || Z || algorithm || apu || apv || 00000100`.
    ///
    /// - Parameter sharedSecret: The whole X coordinate with its leading zeros, 32 bytes.
    /// - Returns: 32 bytes; `nil` when the shared secret has another length.
    package static func derive(
        sharedSecret: [UInt8], apu: [UInt8], apv: [UInt8]
    ) -> [UInt8]? {
        guard sharedSecret.count == 32 else { return nil }
        return ConcatKDF.derive(
            sharedSecret: sharedSecret, algorithmID: JWEEncryption.a256GCM.rawValue, apu: apu,
            apv: apv, length: 32)
    }
}
