// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// What was asked of one route. Labels are closed: the method is one of nine words, the status
/// one of five classes.
final class RequestCounts: Sendable {
    private static let methods = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE",
    ]
    private static let statusClasses = 5

    private let counts: [MetricCounter]
    let durations = DurationHistogram()

    init() {
        counts = (0..<((Self.methods.count + 1) * Self.statusClasses)).map { _ in MetricCounter() }
    }

    func add(method: HTTPRequest.Method, status: Int) {
        let row = Self.methods.firstIndex(of: method.rawValue) ?? Self.methods.count
        let column = min(max(status / 100, 1), Self.statusClasses) - 1
        counts[row * Self.statusClasses + column].add()
    }

    func write(route: String, to page: inout MetricsPage) {
        for (index, counter) in counts.enumerated() where counter.value > 0 {
            let (row, column) = index.quotientAndRemainder(dividingBy: Self.statusClasses)
            let method = row < Self.methods.count ? Self.methods[row] : "other"
            page.sample(
                "gatehouse_http_requests_total",
                labels: "route=\"\(route)\",method=\"\(method)\",status=\"\(column + 1)xx\"",
                counter.value)
        }
    }
}
