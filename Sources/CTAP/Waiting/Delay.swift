// SPDX-License-Identifier: Apache-2.0

/// The passage of time for the client. Tests control it.
package protocol Delay: Sendable {
    /// Returns after `duration`, or at once when the task is cancelled.
    func wait(_ duration: Duration) async
}
