// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// SHAKE128 and SHAKE256 (FIPS 202 section 6.2) of public input, by libcrypto; swift-crypto does
/// not offer them.
package enum SHAKE: Sendable {
    case shake128, shake256

    /// The library has no memory.
    struct LibraryError: Error {}

    /// Returns the first `count` bytes of the output for `input`.
    package func bytes(_ count: Int, of input: [UInt8]) throws -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw LibraryError() }
        defer { EVP_MD_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: count)
        guard EVP_DigestInit_ex(context, algorithm, nil) == 1,
            EVP_DigestUpdate(context, input, input.count) == 1,
            EVP_DigestFinalXOF(context, &output, count) == 1
        else {
            ERR_clear_error()
            throw LibraryError()
        }
        return output
    }

    private var algorithm: OpaquePointer? {
        self == .shake128 ? Self.algorithm128 : Self.algorithm256
    }

    // Fetched once, because a search among the providers takes longer than a short hash.
    // `nonisolated(unsafe)`: nothing changes or frees them, and any number of threads may use a
    // fetched algorithm (EVP_MD_fetch(3), openssl-threads(7)).
    nonisolated(unsafe) private static let algorithm128 = EVP_MD_fetch(nil, "SHAKE128", nil)
    nonisolated(unsafe) private static let algorithm256 = EVP_MD_fetch(nil, "SHAKE256", nil)
}
