// SPDX-License-Identifier: Apache-2.0

/// A histogram of durations with fixed buckets, without locks.
package final class DurationHistogram: Sendable {
    /// Upper bounds in microseconds. Longer durations count only in the total.
    private static let bounds: [UInt64] = [
        500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
        2_500_000, 10_000_000,
    ]

    private let buckets = bounds.map { _ in MetricCounter() }
    private let total = MetricCounter()
    private let sum = MetricCounter()

    package init() {}

    package func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let microseconds =
            UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000).partialValue
            &+ UInt64(clamping: attoseconds / 1_000_000_000_000)
        if let index = Self.bounds.firstIndex(where: { microseconds <= $0 }) {
            buckets[index].add()
        }
        total.add()
        sum.add(microseconds)
    }

    /// Prometheus lines: cumulative buckets, sum and count.
    func write(_ name: String, labels: String, to page: inout MetricsPage) {
        guard total.value > 0 else { return }
        var cumulative: UInt64 = 0
        for (bound, bucket) in zip(Self.bounds, buckets) {
            cumulative += bucket.value
            let limit = Double(bound) / 1_000_000
            page.sample("\(name)_bucket", labels: "\(labels),le=\"\(limit)\"", cumulative)
        }
        page.sample("\(name)_bucket", labels: "\(labels),le=\"+Inf\"", total.value)
        page.sample("\(name)_sum", labels: labels, Double(sum.value) / 1_000_000)
        page.sample("\(name)_count", labels: labels, total.value)
    }
}
