// SPDX-License-Identifier: Apache-2.0

/// The machine's own clock, on the thread that waits for keys: a limit that is never reached costs
/// that thread nothing, where a timer of the system would wake another one.
package struct SystemDelay: Delay {
    private let thread: AuthenticatorThread?

    package init() { self.init(on: try? AuthenticatorThread.ofClients()) }

    /// - Parameter thread: Which one; `nil` for the system's timers.
    init(on thread: AuthenticatorThread?) { self.thread = thread }

    package func wait(_ duration: Duration) async {
        guard let thread else {
            try? await Task.sleep(for: duration)
            return
        }
        let place = ThreadWait(on: thread)
        await withTaskCancellationHandler {
            _ = await place.wait(milliseconds: duration.milliseconds)
        } onCancel: {
            place.wake()
        }
    }
}
