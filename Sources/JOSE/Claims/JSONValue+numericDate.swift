// SPDX-License-Identifier: Apache-2.0
package import Primitives

extension JSONValue {
    /// A `NumericDate` (RFC 7519 section 2) as a whole number, in the unit of the message, without
    /// a fraction. `nil` if it is not a number, or does not fit.
    package var numericDate: Int64? {
        switch self {
        case .integer(let whole): whole
        case .number(let number): Int64(exactly: number.rounded(.down))
        default: nil
        }
    }
}

extension Timestamp {
    /// A JSON `NumericDate` (RFC 7519 section 2): seconds since 1970, with or without a fraction.
    /// `nil` for anything that is not a number between the years 0 and 9999.
    package init?(numericDate value: JSONValue) {
        // -62167219200 is 0000-01-01, 253402300800 is 10000-01-01.
        let range: Range<Int64> = -62_167_219_200..<253_402_300_800
        switch value {
        case .integer(let seconds):
            guard range.contains(seconds) else { return nil }
            self.init(seconds: seconds)
        case .number(let seconds):
            guard seconds >= Double(range.lowerBound), seconds < Double(range.upperBound) else {
                return nil
            }
            self.init(milliseconds: Int64(seconds * 1000))
        default: return nil
        }
    }
}
