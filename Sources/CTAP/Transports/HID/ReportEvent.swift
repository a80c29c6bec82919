// SPDX-License-Identifier: Apache-2.0

/// The result of a wait for a report.
package enum ReportEvent: Sendable, Equatable {
    case report([UInt8])
    case timedOut
    /// ``ReportStream/wake()`` was called.
    case woken
}
