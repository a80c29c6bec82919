// SPDX-License-Identifier: Apache-2.0

/// A moment of the system clock, in whole milliseconds since 1970-01-01 UTC.
///
/// Protocols use seconds: ``seconds`` rounds down, as RFC 7519 `NumericDate` users expect.
package struct Timestamp: Sendable, Hashable, Comparable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }
    package init(seconds: Int64) {
        let (value, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        milliseconds = overflow ? (seconds < 0 ? .min : .max) : value
    }

    package var seconds: Int64 {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Saturates at the ends of time instead of trapping.
    package static func + (left: Timestamp, right: TimeSpan) -> Timestamp {
        let (value, overflow) = left.milliseconds.addingReportingOverflow(right.milliseconds)
        return Timestamp(milliseconds: overflow ? (right.milliseconds < 0 ? .min : .max) : value)
    }

    package static func - (left: Timestamp, right: TimeSpan) -> Timestamp {
        left + TimeSpan(milliseconds: right.milliseconds == .min ? .max : -right.milliseconds)
    }

    /// The span from `right` to `left`, saturating.
    package static func - (left: Timestamp, right: Timestamp) -> TimeSpan {
        let (value, overflow) = left.milliseconds.subtractingReportingOverflow(right.milliseconds)
        return TimeSpan(milliseconds: overflow ? (left < right ? .min : .max) : value)
    }
}

/// A length of time in whole milliseconds.
package struct TimeSpan: Sendable, Hashable, Comparable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package var seconds: Int64 { milliseconds / 1000 }

    package static func seconds(_ count: Int64) -> TimeSpan { .units(count, of: 1000) }
    package static func minutes(_ count: Int64) -> TimeSpan { .units(count, of: 60_000) }
    package static func hours(_ count: Int64) -> TimeSpan { .units(count, of: 3_600_000) }
    package static func days(_ count: Int64) -> TimeSpan { .units(count, of: 86_400_000) }

    /// Saturates, because the number may come from a message or a configuration.
    private static func units(_ count: Int64, of milliseconds: Int64) -> TimeSpan {
        let (value, overflow) = count.multipliedReportingOverflow(by: milliseconds)
        return TimeSpan(milliseconds: overflow ? (count < 0 ? .min : .max) : value)
    }

    package static func < (left: TimeSpan, right: TimeSpan) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
