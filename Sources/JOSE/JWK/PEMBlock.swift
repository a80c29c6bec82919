// SPDX-License-Identifier: Apache-2.0
import Primitives

/// One block of the textual encoding of keys, RFC 7468: a label, and the DER that it encloses.
///
/// Line ends may be LF, CR or CRLF. One block and nothing else: no text around it, no headers in it
/// (those of encrypted keys are not read).
package struct PEMBlock {
    package let label: String
    package let der: [UInt8]

    /// An RSA private key of 8192 bits has about 6,500 characters.
    package static let maximumBytes = 16_384

    /// - Parameter limit: the longest text, in bytes.
    /// - Throws: `tooLarge`, `keyMalformed`, `keyUnsupported` for a block with headers.
    package init(_ text: String, limit: Int = maximumBytes) throws(JOSEError) {
        guard text.utf8.count <= limit else {
            throw JOSEError(.tooLarge, "the PEM text is too long")
        }
        // CRLF is one Character of Swift's, so bytes are split, and empty lines dropped.
        let lines = text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            .map { String(Substring($0)).trimmingBlanks() }
            .filter { !$0.isEmpty }
        guard let first = lines.first, let last = lines.last, lines.count >= 3,
            first.hasPrefix(Self.begin), first.hasSuffix(Self.dashes),
            first.utf8.count > Self.begin.utf8.count + Self.dashes.utf8.count
        else { throw JOSEError(.keyMalformed, "not a PEM block") }
        label = String(first.dropFirst(Self.begin.count).dropLast(Self.dashes.count))
        guard last == Self.end + label + Self.dashes else {
            throw JOSEError(.keyMalformed, "the PEM block does not end as it begins")
        }
        let body = lines.dropFirst().dropLast()
        guard body.allSatisfy({ !$0.contains(":") }) else {
            throw JOSEError(.keyUnsupported, "the PEM block has headers, as encrypted keys do")
        }
        guard let der = Base64.decode(body.joined()), !der.isEmpty else {
            throw JOSEError(.keyMalformed, "the PEM block is not base64")
        }
        self.der = der
    }

    /// Returns the block as text: 64 characters a line, LF.
    static func text(label: String, der: [UInt8]) -> String {
        var lines = [begin + label + dashes]
        var letters = Substring(Base64.encode(der))
        while !letters.isEmpty {
            lines.append(String(letters.prefix(64)))
            letters = letters.dropFirst(64)
        }
        return (lines + [end + label + dashes]).joined(separator: "\n") + "\n"
    }

    private static let begin = "-----BEGIN "
    private static let end = "-----END "
    private static let dashes = "-----"
}

extension String {
    fileprivate func trimmingBlanks() -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
