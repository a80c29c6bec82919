// SPDX-License-Identifier: Apache-2.0
package import Primitives
import UnicodeNormalization

/// A password in its hashed form: text in Unicode normalization form C, 1 to 1024 bytes.
///
/// It is normalized, so that one password on two keyboards is the same password (NIST SP 800-63B-4
/// section 3.1.1.2). A sign-in accepts every such text; ``PasswordPolicy`` decides about new
/// passwords.
package struct Password: Sendable, Equatable, CustomStringConvertible {
    private let secret: Secret

    /// Longest password, in bytes after normalisation.
    package static let greatestLength = 1024
    /// Longest text that is normalised at all. Normalisation changes the length by a factor of
    /// three at most (Unicode Standard Annex 15, section 12.1).
    private static let greatestTypedLength = 3 * greatestLength

    /// `nil` when the text is empty or too long.
    package init?(_ typed: String) {
        guard typed.utf8.count <= Self.greatestTypedLength else { return nil }
        let text = NormalizationForm.composed(typed)
        guard (1...Self.greatestLength).contains(text.utf8.count) else { return nil }
        secret = Secret(text)
    }

    package init?(_ typed: Secret) { self.init(typed.revealText()) }

    /// UTF-8.
    var bytes: [UInt8] { secret.reveal() }

    /// The characters, for the policy.
    var scalars: [Unicode.Scalar] { Array(secret.revealText().unicodeScalars) }

    package var description: String { secret.description }
}
