// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A date as RFC 5322 section 3.3 writes it, in UTC: `Sat, 21 Nov 2026 03:03:00 +0000`.
enum MailDate {
    private static let years = Timestamp(seconds: 0)...Timestamp(seconds: 253_402_300_799)

    /// A moment before 1970 is written as the start of 1970, one after 9999 as the end of 9999.
    static func format(_ moment: Timestamp) -> String {
        let moment = min(max(moment, years.lowerBound), years.upperBound)
        return CivilTime(moment).internetText + " +0000"
    }
}
