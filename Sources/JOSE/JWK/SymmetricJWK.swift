// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives

/// A shared key as a JWK (`oct`, RFC 7518 section 6.4).
package struct SymmetricJWK: Sendable, Equatable, CustomStringConvertible {
    package let key: Secret
    package let parameters: KeyParameters

    /// - Throws: `keyTooWeak` when the key is empty, or too short for the algorithm that it names;
    ///   `keyMismatch` when that algorithm needs another kind or an exact size.
    package init(_ key: Secret, parameters: KeyParameters) throws(JOSEError) {
        let size = key.reveal().count
        guard size > 0 else { throw JOSEError(.keyTooWeak, "the key is empty") }
        guard size <= 1024 else { throw JOSEError(.keyMalformed, "the key is too long") }
        try AlgorithmFit.check(parameters.algorithm, symmetricBytes: size)
        self.key = key
        self.parameters = parameters
    }

    /// The SHA-256 thumbprint of RFC 7638 in Base64url. According to its section 7, the thumbprint
    /// of a guessable key reveals the key, so it is for inspection only.
    package var thumbprintText: String {
        let object: JSONValue = ["k": .string(Base64URL.encode(key.reveal())), "kty": "oct"]
        return Base64URL.encode(Array(SHA256.hash(data: object.bytes)))
    }

    package var description: String { "oct JWK [redacted]" }
}
