// SPDX-License-Identifier: Apache-2.0

/// Validates domain names of RP IDs: lower-case ASCII labels, no dot at the end.
package enum DomainName {
    package static func isValid(_ name: String) -> Bool {
        guard 1...253 ~= name.utf8.count else { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy(isLabel) && labels.last?.utf8.contains { !isDigit($0) } == true
    }

    private static func isLabel(_ label: Substring) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return 1...63 ~= label.utf8.count && label.utf8.first != hyphen
            && label.utf8.last != hyphen
            && label.utf8.allSatisfy { letter in
                isDigit(letter) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
                    || letter == hyphen || letter == UInt8(ascii: "_")
            }
    }

    private static func isDigit(_ letter: UInt8) -> Bool { 0x30...0x39 ~= letter }
}
