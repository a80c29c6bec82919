// SPDX-License-Identifier: Apache-2.0

/// A version of macOS: `15.4`.
package struct SystemVersion: Sendable, Hashable, Comparable, CustomStringConvertible,
    ExpressibleByFloatLiteral
{
    package let major: Int
    package let minor: Int

    package init(_ major: Int, _ minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    /// Parses `15`, `15.4` or `15.4.1`, whose last number is ignored.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.utf8.count <= 3 ? UInt16($0) : nil }
        guard 1...3 ~= parts.count, numbers.count == parts.count, let first = numbers.first else {
            return nil
        }
        self.init(Int(first), numbers.count > 1 ? Int(numbers[1]) : 0)
    }

    /// Creates a version for the table of keys, for example `15.4`. The first decimal is the minor
    /// version, so `10.15` is not possible.
    package init(floatLiteral value: Double) {
        let tenths = Int((value * 10).rounded())
        self.init(tenths / 10, tenths % 10)
    }

    package static func < (left: SystemVersion, right: SystemVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    package var description: String { "\(major).\(minor)" }
}
