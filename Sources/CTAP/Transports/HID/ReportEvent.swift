// SPDX-License-Identifier: Apache-2.0

/// What a wait for a report came to.
package enum ReportEvent: Sendable, Equatable {
    case report([UInt8])
    case timedOut
    /// Somebody called ``ReportStream/wake()``.
    case woken
}
