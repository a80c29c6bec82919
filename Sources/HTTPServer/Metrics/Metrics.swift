// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import ProviderCore
package import Storage
import Synchronization

/// What the provider counts about itself, as `/metrics` shows it.
///
/// Every label value comes from a closed set: route patterns, methods, status classes, actions of
/// the audit trail. Nothing that a sender chose becomes a label, so the page cannot grow.
package final class Metrics: RequestObserver, CeremonyObserver, Sendable {
    /// A value that is read when the page is asked for.
    package struct Gauge: Sendable {
        var name: String
        var help: String
        var kind: MetricsPage.Kind
        var read: @Sendable () async -> Double?
    }

    /// How often something had which size, read when the page is asked for.
    package struct Distribution: Sendable {
        /// Upper bound and how many had a size up to it but above the bound before.
        var buckets: [(bound: Int, count: UInt64)]
        var sum: UInt64
        var count: UInt64

        package init(buckets: [(bound: Int, count: UInt64)], sum: UInt64, count: UInt64) {
            self.buckets = buckets
            self.sum = sum
            self.count = count
        }
    }

    private struct Histogram: Sendable {
        var name: String
        var help: String
        var read: @Sendable () -> Distribution
    }

    private struct Ceremony: Hashable {
        var action: String
        var outcome: AuditEvent.Outcome
    }

    private let requests = Mutex<[String: RequestCounts]>([:])
    private let ceremonies = Mutex<[Ceremony: MetricCounter]>([:])
    private let gauges = Mutex<[Gauge]>([])
    private let histograms = Mutex<[Histogram]>([])

    /// No sensible set of routes or actions is larger; beyond it everything counts as `other`.
    private static let maximumSeries = 512

    package init() {}

    /// Adds a value that is asked for when the page is. `nil` leaves it out.
    package func addGauge(
        _ name: String, _ help: String, kind: MetricsPage.Kind = .gauge,
        read: @escaping @Sendable () async -> Double?
    ) {
        gauges.withLock { $0.append(Gauge(name: name, help: help, kind: kind, read: read)) }
    }

    /// Adds a distribution that is asked for when the page is.
    package func addHistogram(
        _ name: String, _ help: String, read: @escaping @Sendable () -> Distribution
    ) {
        histograms.withLock { $0.append(Histogram(name: name, help: help, read: read)) }
    }

    package func observe(
        route: String, method: HTTPRequest.Method, status: Int, duration: Duration
    ) {
        let counts = requests.withLock { series in
            if let counts = series[route] { return counts }
            let name = series.count < Self.maximumSeries ? route : "other"
            let counts = series[name] ?? RequestCounts()
            series[name] = counts
            return counts
        }
        counts.add(method: method, status: status)
        counts.durations.observe(duration)
    }

    package func observe(action: String, outcome: AuditEvent.Outcome) {
        let counter = ceremonies.withLock { series in
            let key = Ceremony(action: action, outcome: outcome)
            if let counter = series[key] { return counter }
            let bounded = Ceremony(
                action: series.count < Self.maximumSeries ? action : "other", outcome: outcome)
            let counter = series[bounded] ?? MetricCounter()
            series[bounded] = counter
            return counter
        }
        counter.add()
    }

    /// The whole page.
    package func page() async -> MetricsPage {
        var page = MetricsPage()
        writeRequests(to: &page)
        writeCeremonies(to: &page)
        for gauge in gauges.withLock({ $0 }) {
            guard let value = await gauge.read() else { continue }
            page.family(gauge.name, gauge.kind, gauge.help)
            page.sample(gauge.name, value)
        }
        for histogram in histograms.withLock({ $0 }) { write(histogram, to: &page) }
        return page
    }

    private func write(_ histogram: Histogram, to page: inout MetricsPage) {
        let (name, values) = (histogram.name, histogram.read())
        page.family(name, .histogram, histogram.help)
        var cumulative: UInt64 = 0
        for (bound, count) in values.buckets {
            cumulative += count
            page.sample("\(name)_bucket", labels: "le=\"\(bound)\"", cumulative)
        }
        page.sample("\(name)_bucket", labels: "le=\"+Inf\"", values.count)
        page.sample("\(name)_sum", values.sum)
        page.sample("\(name)_count", values.count)
    }

    private func writeRequests(to page: inout MetricsPage) {
        let series = requests.withLock { $0 }.sorted { $0.key < $1.key }
        page.family("gatehouse_http_requests_total", .counter, "Requests answered.")
        for (route, counts) in series { counts.write(route: route, to: &page) }
        let name = "gatehouse_http_request_duration_seconds"
        page.family(name, .histogram, "From the last byte of a request to its answer.")
        for (route, counts) in series {
            counts.durations.write(name, labels: "route=\"\(route)\"", to: &page)
        }
    }

    private func writeCeremonies(to page: inout MetricsPage) {
        page.family("gatehouse_ceremonies_total", .counter, "Ceremonies, accepted and refused.")
        let series = ceremonies.withLock { $0 }.sorted {
            ($0.key.action, $0.key.outcome.rawValue) < ($1.key.action, $1.key.outcome.rawValue)
        }
        for (ceremony, counter) in series {
            page.sample(
                "gatehouse_ceremonies_total",
                labels: "action=\"\(ceremony.action)\",outcome=\"\(ceremony.outcome.rawValue)\"",
                counter.value)
        }
    }
}
