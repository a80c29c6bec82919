// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The encoding of times in claims: numbers, and in Apple's examples of 2022 numbers in strings.
package enum WireTime {
    /// Seconds since 1970; `nil` for anything else than a number, or a string of at most 11 digits.
    package static func read(_ value: JSONValue) -> Timestamp? {
        guard let text = value.string else { return Timestamp(numericDate: value) }
        return seconds(text).flatMap { Timestamp(numericDate: .integer($0)) }
    }

    /// Reads a number of seconds, as a number or as digits in a string.
    package static func span(_ value: JSONValue) -> TimeSpan? {
        guard let count = value.integer ?? value.string.flatMap(seconds), count >= 0,
            count <= 100_000_000_000
        else { return nil }
        return .seconds(count)
    }

    private static func seconds(_ text: String) -> Int64? {
        let digits = text.utf8
        guard 1...11 ~= digits.count,
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return Int64(text)
    }
}
