// SPDX-License-Identifier: Apache-2.0
import SingleSignOn

/// The time limits and maximum numbers of an extension.
package struct ExtensionLimits: Sendable {
    /// From the start of the process to `ready`.
    package var start = Duration.seconds(5)
    /// The time limit of a request without user interface.
    package var silent = Duration.seconds(60)
    /// The time limit of a request that may prompt a person.
    package var interactive = Duration.seconds(600)
    /// From the last request to the end of the process.
    package var idle = Duration.seconds(60)
    /// The time from `stop` to `SIGKILL`.
    package var stop = Duration.seconds(2)
    package var requestsAtOnce = 16
    package var callsAtOnce = 32
    package var crashes = CrashLimits()

    package init() {}

    func limit(of request: ExtensionHostRequest) -> Duration {
        request.allowsPresentation ? interactive : silent
    }
}

/// The limits of restarts after crashes.
package struct CrashLimits: Sendable {
    /// The pause after the first crash; each further crash doubles it.
    package var firstPause = Duration.seconds(1)
    package var maximumPause = Duration.seconds(300)
    /// The running time after which earlier crashes are ignored.
    package var goodLife = Duration.seconds(300)

    package init() {}
}

/// A record of the crashes of an extension, which determines when it may be started again. A value:
/// time is an argument.
package struct CrashRecord: Sendable, Equatable {
    private(set) var count = 0
    private var mayStartAt: Duration = .zero

    package init() {}

    /// - Parameters:
    ///   - lived: The time since the start of the process.
    ///   - now: The time since an arbitrary start.
    package mutating func crashed(after lived: Duration, now: Duration, limits: CrashLimits) {
        if lived >= limits.goodLife { count = 0 }
        count += 1
        // Two to the eleventh exceeds the ratio of the longest and the first pause.
        let pause = limits.firstPause * (1 << min(count - 1, 11))
        mayStartAt = now + min(pause, limits.maximumPause)
    }

    /// Returns the remaining pause; `nil` if it may start.
    package func rest(now: Duration) -> Duration? {
        count > 0 && now < mayStartAt ? mayStartAt - now : nil
    }
}
