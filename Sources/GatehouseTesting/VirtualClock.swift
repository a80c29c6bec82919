// SPDX-License-Identifier: Apache-2.0
public import GatehouseClient
package import Primitives
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A clock that a test advances, for a client and its provider.
public final class VirtualClock: TimeSource {
    private let time: Mutex<Timestamp>

    /// - Parameter start: Some moment in 2027, unless another is given.
    public init(_ start: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        time = Mutex(Timestamp(milliseconds: Int64(start.timeIntervalSince1970 * 1000)))
    }

    /// The current time of the clock.
    public var now: Date {
        Date(timeIntervalSince1970: Double(time.withLock { $0 }.milliseconds) / 1000)
    }

    /// The same clock as the provider's modules use it.
    package var wall: any WallClock { Wall(clock: self) }

    private struct Wall: WallClock {
        let clock: VirtualClock

        var now: Timestamp { clock.time.withLock { $0 } }
    }

    /// Moves it on, or back with a negative span.
    public func advance(by span: Duration) {
        let milliseconds =
            span.components.seconds * 1000 + span.components.attoseconds / 1_000_000_000_000_000
        time.withLock { $0 = $0 + TimeSpan(milliseconds: milliseconds) }
    }
}
