// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Certificates and revocation lists in their text form (RFC 7468 sections 5 and 6).
enum PEMText {
    /// DER, each of one thing with that label; the whole content when it is DER already. What is
    /// not readable is left out.
    static func blocks(_ label: String, in content: [UInt8]) -> [[UInt8]] {
        // A SEQUENCE, which no text begins with: "0" is not at the start of any PEM line.
        if content.first == 0x30 { return [content] }
        var found: [[UInt8]] = []
        var lines: [Substring]?
        for line in String(decoding: content, as: UTF8.self).split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN \(label)-----") {
                lines = []
            } else if line.hasPrefix("-----END \(label)-----") {
                let letters = (lines ?? []).joined().filter { !$0.isWhitespace }
                if let der = Base64.decode(letters), !der.isEmpty { found.append(der) }
                lines = nil
            } else {
                lines?.append(line)
            }
        }
        return found
    }
}
