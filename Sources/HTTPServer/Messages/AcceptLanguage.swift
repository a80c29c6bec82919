// SPDX-License-Identifier: Apache-2.0

/// `Accept-Language`, RFC 9110 section 12.5.4: tags in lower case, best first, at most eight.
package enum AcceptLanguage {
    package static func parse(_ value: String) -> [String] {
        let entries = value.prefix(256).split(separator: ",").prefix(8)
        let weighted = entries.enumerated().compactMap { index, entry -> (String, Double, Int)? in
            let parts = entry.split(separator: ";").map { String($0).trimmed() }
            guard let tag = parts.first?.lowercased(), tag.utf8.allSatisfy(isTagByte) else {
                return nil
            }
            let weight =
                parts.dropFirst().first { $0.hasPrefix("q=") }
                .flatMap { Double($0.dropFirst(2)) } ?? 1
            return weight > 0 ? (tag, weight, index) : nil
        }
        return weighted.sorted { ($1.1, $0.2) < ($0.1, $1.2) }.map(\.0)
    }

    private static func isTagByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
