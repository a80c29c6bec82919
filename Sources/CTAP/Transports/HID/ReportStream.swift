// SPDX-License-Identifier: Apache-2.0

/// A bidirectional stream of HID reports of 64 bytes.
package protocol ReportStream: Sendable {
    func write(_ report: [UInt8]) async throws(TransportError)
    /// Writes the reports of one message: at once where that is possible, so that the other side
    /// is not woken for each of them.
    func write(all reports: [[UInt8]]) async throws(TransportError)
    /// Waits for a report until `deadline`, in milliseconds of the connection's clock.
    func read(until deadline: Int64) async throws(TransportError) -> ReportEvent
    /// Ends a wait, from any thread.
    func wake()
    func close()
}

extension ReportStream {
    package func write(all reports: [[UInt8]]) async throws(TransportError) {
        for report in reports { try await write(report) }
    }
}
