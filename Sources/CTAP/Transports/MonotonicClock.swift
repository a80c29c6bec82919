// SPDX-License-Identifier: Apache-2.0

/// The clock of the time limits of transports. Setting the system time does not change it.
package protocol MonotonicClock: Sendable {
    /// Milliseconds since some moment.
    var milliseconds: Int64 { get }
    /// Suspends the calling thread, which must not belong to the cooperative pool.
    func rest(milliseconds: Int64)
}

extension Duration {
    /// Whole milliseconds, saturating.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow
            ? .max
            : product.addingReportingOverflow(
                attoseconds / 1_000_000_000_000_000
            ).partialValue
    }
}
