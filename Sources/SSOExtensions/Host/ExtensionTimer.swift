// SPDX-License-Identifier: Apache-2.0

/// How the host lets time pass. Tests decide when a wait is over.
package protocol ExtensionTimer: Sendable {
    /// Since some moment; setting the wall clock does not move it.
    var now: Duration { get }
    /// - Throws: when the task is cancelled.
    func wait(_ duration: Duration) async throws
}

/// The machine's clock, which does not stand still while the machine sleeps.
package struct SystemExtensionTimer: ExtensionTimer {
    private let start = ContinuousClock.now

    package init() {}

    package var now: Duration { ContinuousClock.now - start }

    package func wait(_ duration: Duration) async throws {
        try await Task.sleep(for: duration, clock: .continuous)
    }
}
