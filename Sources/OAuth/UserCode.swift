// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The code that a person enters, RFC 8628 section 6.1: eight consonants, displayed as `WDJB-MJHT`.
///
/// Twenty consonants cannot spell a word, and 20^8 codes are too many for the attempt limit.
package enum UserCode {
    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)

    /// Returns eight random characters, without the hyphen.
    package static func make(random: some RandomSource) -> String {
        var letters: [UInt8] = []
        while letters.count < 8 {
            // 240 is the largest multiple of 20 in a byte, so all characters are equally likely.
            letters += random.bytes(16).filter { $0 < 240 }.map { alphabet[Int($0 % 20)] }
        }
        return String(decoding: letters.prefix(8), as: UTF8.self)
    }

    /// As it is shown: `XXXX-XXXX`.
    package static func display(_ code: String) -> String { "\(code.prefix(4))-\(code.suffix(4))" }

    /// Returns the code of an entered text, in any case and with any hyphens or spaces; `nil` if it
    /// is not a code.
    package static func normalize(_ typed: String) -> String? {
        guard typed.utf8.count <= 32 else { return nil }
        let letters = typed.utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }
            .filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
        guard letters.count == 8, letters.allSatisfy(alphabet.contains) else { return nil }
        return String(decoding: letters, as: UTF8.self)
    }
}
