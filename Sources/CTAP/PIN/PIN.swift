// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Primitives

/// A PIN as the wire takes it (CTAP 2.1 section 6.5.1): UTF-8 of a text in Unicode normalisation
/// form C, at least 4 code points, at most 63 bytes.
package struct PIN: Sendable {
    /// Least length that any key may allow, in code points.
    package static let leastCodePoints = 4
    /// Greatest length in bytes.
    package static let greatestLength = 63
    /// Length of ``padded``.
    package static let paddedLength = 64

    private let bytes: Secret
    /// Length in code points, which `minPINLength` limits.
    package let codePoints: Int

    /// What a person typed, normalised; `nil` when it is too short, too long, or holds a NUL.
    package init?(_ text: String) {
        self.init(utf8: Array(text.precomposedStringWithCanonicalMapping.utf8))
    }

    /// A padded PIN that arrived: text, then at least one NUL, then nothing but NULs.
    package init?(padded: some Collection<UInt8>) {
        guard padded.count == Self.paddedLength else { return nil }
        let text = Array(padded.prefix { $0 != 0 })
        guard padded.dropFirst(text.count).allSatisfy({ $0 == 0 }) else { return nil }
        self.init(utf8: text)
    }

    private init?(utf8: [UInt8]) {
        guard utf8.count <= Self.greatestLength, !utf8.contains(0),
            let text = String(validating: utf8, as: UTF8.self),
            text.unicodeScalars.count >= Self.leastCodePoints
        else { return nil }
        bytes = Secret(utf8)
        codePoints = text.unicodeScalars.count
    }

    /// The PIN with NULs behind it, 64 bytes: what is encrypted to set it.
    package var padded: [UInt8] {
        let text = bytes.reveal()
        return text + [UInt8](repeating: 0, count: Self.paddedLength - text.count)
    }

    /// The left 16 bytes of SHA-256 of the PIN: what is encrypted to prove it.
    package var hash: [UInt8] { Array(SHA256.hash(data: bytes.reveal()).prefix(16)) }
}
