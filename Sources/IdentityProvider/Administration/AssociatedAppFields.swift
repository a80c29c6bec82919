// SPDX-License-Identifier: Apache-2.0
import Storage

/// The keys of a project's `associated_apps`: those of Apple's association file.
enum AssociatedAppFields {
    static let apps: [RecordField<AssociatedApps>] = [
        .list("webcredentials", \.webCredentials, rule: identifier),
        .list("authsrv", \.authenticationServices, rule: identifier),
    ]

    /// Ten capital letters and digits, a dot, and a bundle identifier.
    private static let identifier: TextRule = { text in
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let isPrefix =
            parts[0].count == 10 && parts[0].allSatisfy { isCapital($0) || isDigit($0) }
        let isBundle =
            parts.count == 2 && (1...155).contains(parts[1].count)
            && parts[1].allSatisfy {
                isCapital($0 & 0xDF) || isDigit($0) || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: ".")
            }
        return isPrefix && isBundle
            ? nil
            : "must be a team's prefix and a bundle identifier, such as "
                + "ABCDE12345.com.example.app"
    }

    private static func isCapital(_ letter: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
    }

    private static func isDigit(_ letter: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter)
    }
}
