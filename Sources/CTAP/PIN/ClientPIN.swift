// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives
import UnicodeNormalization

/// A PIN in the encoding of CTAP 2.1 section 6.5.1: UTF-8 of a text in Unicode normalisation form
/// C, at least 4 code points, at most 63 bytes.
///
/// The bytes are overwritten when the last copy is released. The `String` that a person typed
/// cannot be overwritten in Swift; it is released after the prompt.
package struct ClientPIN: Sendable {
    /// Least length that any key may allow, in code points.
    package static let leastCodePoints = 4
    /// Greatest length in bytes.
    package static let greatestLength = 63
    /// Length of ``padded``.
    package static let paddedLength = 64

    private let bytes: Secret
    /// Length in code points, which `minPINLength` limits.
    package let codePoints: Int

    /// Normalises the text that a person typed; `nil` if it is too short, too long, or contains a
    /// NUL.
    package init?(_ text: String) {
        self.init(utf8: Secret(NormalizationForm.composed(text)))
    }

    /// A padded PIN that arrived: text, then at least one NUL, then nothing but NULs.
    package init?(padded: Secret) {
        let text: Secret? = padded.withBytes { padded in
            guard padded.count == Self.paddedLength else { return nil }
            let text = padded.prefix { $0 != 0 }
            return padded.dropFirst(text.count).allSatisfy { $0 == 0 } ? Secret(text) : nil
        }
        guard let text else { return nil }
        self.init(utf8: text)
    }

    private init?(utf8: Secret) {
        let codePoints: Int? = utf8.withBytes { bytes in
            guard bytes.count <= Self.greatestLength, !bytes.contains(0) else { return nil }
            return String(validating: bytes, as: UTF8.self)?.unicodeScalars.count
        }
        guard let codePoints, codePoints >= Self.leastCodePoints else { return nil }
        bytes = utf8
        self.codePoints = codePoints
    }

    /// The PIN with NULs behind it, 64 bytes: what is encrypted to set it.
    package var padded: Secret {
        var padded = [UInt8](repeating: 0, count: Self.paddedLength)
        bytes.withBytes { padded.replaceSubrange(..<$0.count, with: $0) }
        return Secret(wiping: &padded)
    }

    /// The left 16 bytes of SHA-256 of the PIN: what is encrypted to prove it.
    package var hash: Secret { bytes.withBytes { Secret(SHA256.hash(data: $0).prefix(16)) } }
}
