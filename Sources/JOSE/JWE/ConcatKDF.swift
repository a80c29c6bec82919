// SPDX-License-Identifier: Apache-2.0
import Crypto

/// The Concat key derivation function of NIST SP 800-56A with SHA-256, as RFC 7518 section 4.6.2
/// uses it.
package enum ConcatKDF {
    /// - Parameters:
    ///   - algorithmID: The `enc` for direct agreement, otherwise the `alg`.
    ///   - length: The key size in bytes, at most 64.
    package static func derive(
        sharedSecret: [UInt8], algorithmID: String, apu: [UInt8], apv: [UInt8], length: Int
    ) -> [UInt8] {
        var info: [UInt8] = []
        for field in [Array(algorithmID.utf8), apu, apv] {
            info += bigEndian(field.count) + field
        }
        info += bigEndian(length * 8)
        var key: [UInt8] = []
        var counter = 1
        while key.count < length {
            key += SHA256.hash(data: bigEndian(counter) + sharedSecret + info)
            counter += 1
        }
        return Array(key.prefix(length))
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Array($0) }
    }
}
