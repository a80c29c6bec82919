// SPDX-License-Identifier: Apache-2.0

/// A version of an app or a system: one to four numbers separated by dots, `2.4.1`.
///
/// Versions are compared number by number; a missing one is 0, so `2` and `2.0` are the same.
package struct VersionNumber: Sendable {
    private static let maximumNumbers = 4
    private static let maximumDigits = 9

    private let numbers: [Int]

    /// Returns `nil` for other forms, including suffixes such as `-beta`.
    package init?(_ text: some StringProtocol) {
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= Self.maximumNumbers else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard (1...Self.maximumDigits).contains(part.count),
                part.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int(String(decoding: part, as: UTF8.self))
            else { return nil }
            numbers.append(number)
        }
        self.numbers = numbers
    }

    private subscript(place: Int) -> Int { place < numbers.count ? numbers[place] : 0 }
}

extension VersionNumber: Comparable {
    package static func == (left: VersionNumber, right: VersionNumber) -> Bool {
        (0..<maximumNumbers).allSatisfy { left[$0] == right[$0] }
    }

    package static func < (left: VersionNumber, right: VersionNumber) -> Bool {
        for place in 0..<maximumNumbers where left[place] != right[place] {
            return left[place] < right[place]
        }
        return false
    }
}

extension VersionNumber: CustomStringConvertible {
    package var description: String { numbers.map(String.init).joined(separator: ".") }
}
