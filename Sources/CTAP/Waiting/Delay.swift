// SPDX-License-Identifier: Apache-2.0

/// How the client lets time pass. Tests decide when a wait is over.
package protocol Delay: Sendable {
    /// Returns after `duration`, or at once when the task is cancelled.
    func wait(_ duration: Duration) async
}
