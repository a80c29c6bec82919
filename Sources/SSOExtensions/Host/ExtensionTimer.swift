// SPDX-License-Identifier: Apache-2.0

/// The host's timer. Tests decide when a wait ends.
package protocol ExtensionTimer: Sendable {
    /// The time since an arbitrary start; an adjustment of the system time does not change it.
    var now: Duration { get }
    /// - Throws: If the task is cancelled.
    func wait(_ duration: Duration) async throws
}

/// A boot-time clock, which includes the time of sleep.
package struct SystemExtensionTimer: ExtensionTimer {
    private let start = ContinuousClock.now

    package init() {}

    package var now: Duration { ContinuousClock.now - start }

    package func wait(_ duration: Duration) async throws {
        try await Task.sleep(for: duration, clock: .continuous)
    }
}
