// SPDX-License-Identifier: Apache-2.0
import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The source of the current time: the system's clock, or a replacement in tests.
public protocol TimeSource: Sendable {
    /// The time at this moment.
    var now: Date { get }
}

/// The machine's clock.
public struct SystemTime: TimeSource {
    /// The usual one.
    public init() {}

    /// The time by this clock.
    public var now: Date { Date() }
}

/// The clock as the lower modules use it.
struct ClientClock: WallClock {
    let source: any TimeSource

    var now: Timestamp { Timestamp(source.now) }
}

extension Timestamp {
    /// Saturates at the ends of what milliseconds can say.
    init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
        self.init(
            milliseconds: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }

    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension TimeSpan {
    /// Saturates.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let whole = TimeSpan.seconds(seconds).milliseconds
        let (sum, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        self.init(milliseconds: overflow ? (whole < 0 ? .min : .max) : sum)
    }
}
