// SPDX-License-Identifier: Apache-2.0
import SingleSignOn

/// How long things may take, and how many there may be.
package struct ExtensionLimits: Sendable {
    /// From the start of the process to `ready`.
    package var start = Duration.seconds(5)
    /// A request that shows nothing.
    package var silent = Duration.seconds(60)
    /// A request that may ask a person.
    package var interactive = Duration.seconds(600)
    /// From the last request to the end of the process.
    package var idle = Duration.seconds(60)
    /// From `stop` to the signal that nobody survives.
    package var stop = Duration.seconds(2)
    package var requestsAtOnce = 16
    package var callsAtOnce = 32
    package var crashes = CrashLimits()

    package init() {}

    func limit(of request: ExtensionHostRequest) -> Duration {
        request.allowsPresentation ? interactive : silent
    }
}

/// When an extension that ends by itself is started again.
package struct CrashLimits: Sendable {
    /// The pause after the first crash; each further one doubles it.
    package var firstPause = Duration.seconds(1)
    package var longestPause = Duration.seconds(300)
    /// A process that lived this long has made good for the crashes before it.
    package var goodLife = Duration.seconds(300)

    package init() {}
}

/// The crashes of an extension, and when it may be started again. A value: time comes in.
package struct CrashRecord: Sendable, Equatable {
    private(set) var count = 0
    private var mayStartAt: Duration = .zero

    package init() {}

    /// - Parameters:
    ///   - lived: since it was started.
    ///   - now: since some moment.
    package mutating func crashed(after lived: Duration, now: Duration, limits: CrashLimits) {
        if lived >= limits.goodLife { count = 0 }
        count += 1
        // Two to the eleventh is more than the longest pause has of the first one.
        let pause = limits.firstPause * (1 << min(count - 1, 11))
        mayStartAt = now + min(pause, limits.longestPause)
    }

    /// How long it must rest; `nil` when it may start.
    package func rest(now: Duration) -> Duration? {
        count > 0 && now < mayStartAt ? mayStartAt - now : nil
    }
}
