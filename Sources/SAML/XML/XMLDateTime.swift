// SPDX-License-Identifier: Apache-2.0
import Primitives

/// `xs:dateTime` as SAML has it (SAML 2.0 Core section 1.3.3): in UTC, written with a `Z`.
enum XMLDateTime {
    /// Reads `2026-11-21T19:05:00Z`, with or without a fraction, in whole seconds. `nil` for any
    /// other text and for a date that does not exist.
    static func read(_ text: String) -> Timestamp? {
        guard text.utf8.last == UInt8(ascii: "Z"),
            text.utf8.dropFirst(10).first == UInt8(ascii: "T"),
            let time = Timestamp(rfc3339: text)
        else { return nil }
        return Timestamp(seconds: time.seconds)
    }

    /// The time in whole seconds, 1970 for an earlier one.
    static func text(_ time: Timestamp) -> String {
        let time = CivilTime(max(time, Timestamp(seconds: 0)))
        return "\(time.date)T\(time.clock)Z"
    }
}
