// SPDX-License-Identifier: Apache-2.0

/// Where HID reports of 64 bytes go and come from. Its calls block; they are made on a thread of
/// the device's own.
package protocol ReportStream: Sendable {
    func write(_ report: [UInt8]) throws(TransportError)
    /// Writes the reports of one message: at once where that is possible, so that the other side
    /// is not woken for each of them.
    func write(all reports: [[UInt8]]) throws(TransportError)
    /// Waits for a report until `deadline`, in milliseconds of the connection's clock.
    func read(until deadline: Int64) throws(TransportError) -> ReportEvent
    /// Ends a wait, from any thread.
    func wake()
    func close()
}

extension ReportStream {
    package func write(all reports: [[UInt8]]) throws(TransportError) {
        for report in reports { try write(report) }
    }
}

/// What a wait for a report came to.
package enum ReportEvent: Sendable, Equatable {
    case report([UInt8])
    case timedOut
    /// Somebody called ``ReportStream/wake()``.
    case woken
}
