// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// Proof Key for Code Exchange, RFC 7636, method S256 only.
package struct CodeChallenge: Sendable, Equatable {
    /// 43 base64url characters.
    package let value: String

    /// `nil` unless `value` is the base64url form of exactly 32 bytes.
    package init?(_ value: String) {
        guard value.utf8.count == 43, Base64URL.decode(value)?.count == 32 else { return nil }
        self.value = value
    }

    /// The challenge of `verifier`: base64url(SHA-256(ASCII(verifier))).
    package static func s256(of verifier: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
    }

    /// Whether `verifier` (43 to 128 unreserved characters, section 4.1) belongs to this challenge.
    package func isMet(by verifier: String) -> Bool {
        Self.isVerifier(verifier)
            && ConstantTime.equal(Array(Self.s256(of: verifier).utf8), Array(value.utf8))
    }

    /// Whether `text` could be a verifier at all.
    package static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(PercentEncoding.isUnreserved)
    }
}
