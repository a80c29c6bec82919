// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The last two bytes of a response (ISO/IEC 7816-4 section 5.1.3).
package struct StatusWord: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let ok = StatusWord(rawValue: 0x9000)
    /// The operation is in progress; the client polls with `NFCCTAP_GETRESPONSE` (CTAP 2.2 section
    /// 11.3.7.2).
    package static let keepalive = StatusWord(rawValue: 0x9100)
    package static let wrongLength = StatusWord(rawValue: 0x6700)
    /// U2F: waiting for a touch, or, to a check, "I have it".
    package static let conditionsNotSatisfied = StatusWord(rawValue: 0x6985)
    package static let wrongData = StatusWord(rawValue: 0x6A80)
    package static let fileNotFound = StatusWord(rawValue: 0x6A82)
    package static let incorrectParameters = StatusWord(rawValue: 0x6A86)
    package static let instructionNotSupported = StatusWord(rawValue: 0x6D00)
    package static let classNotSupported = StatusWord(rawValue: 0x6E00)
    package static let unknown = StatusWord(rawValue: 0x6F00)

    /// The number of remaining bytes of a status 61xx, 256 if it does not specify one.
    package var remaining: Int? {
        guard rawValue >> 8 == 0x61 else { return nil }
        let count = Int(rawValue & 0xFF)
        return count == 0 ? 256 : count
    }

    /// 6Cxx: the same command, but with exactly this much expected.
    package var exactExpected: Int? {
        guard rawValue >> 8 == 0x6C else { return nil }
        let count = Int(rawValue & 0xFF)
        return count == 0 ? 256 : count
    }

    package static func remaining(_ count: Int) -> StatusWord {
        StatusWord(rawValue: 0x6100 | (count >= 256 ? 0 : UInt16(truncatingIfNeeded: count)))
    }

    package var description: String { Hexadecimal.text(rawValue, width: 4, .upper) }
}
