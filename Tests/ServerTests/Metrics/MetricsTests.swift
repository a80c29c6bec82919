// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import Storage
import Testing

@testable import HTTPServer

@Suite struct MetricsTests {
    private let metrics = Metrics()

    @Test("Requests are counted by route, method and class")
    func requests() async {
        for status in [200, 204, 404, 503] {
            metrics.observe(
                route: "/token", method: .post, status: status, duration: .milliseconds(3))
        }
        let text = await metrics.page().text
        let name = "gatehouse_http_requests_total{route=\"/token\",method=\"POST\",status="
        #expect(text.contains(name + "\"2xx\"} 2\n"))
        #expect(text.contains(name + "\"4xx\"} 1\n"))
        #expect(text.contains(name + "\"5xx\"} 1\n"))
        #expect(text.contains("duration_seconds_bucket{route=\"/token\",le=\"0.0025\"} 0\n"))
        #expect(text.contains("duration_seconds_bucket{route=\"/token\",le=\"0.005\"} 4\n"))
        #expect(text.contains("duration_seconds_count{route=\"/token\"} 4\n"))
    }

    @Test("Attack 49: a method of the sender's own invention is `other`")
    func inventedMethods() async throws {
        let method = try #require(HTTPRequest.Method("BREW"))
        metrics.observe(route: "unmatched", method: method, status: 999, duration: .seconds(100))
        let text = await metrics.page().text
        #expect(text.contains("method=\"other\",status=\"5xx\"} 1"))
        #expect(!text.contains("BREW"))
    }

    @Test("The page cannot grow without end")
    func bounded() async {
        for number in 0..<2000 {
            metrics.observe(route: "/\(number)", method: .get, status: 200, duration: .zero)
            metrics.observe(action: "a.\(number)", outcome: .accepted)
        }
        let text = await metrics.page().text
        #expect(text.contains("route=\"other\"") && text.contains("action=\"other\""))
        #expect(text.split(separator: "\n").count { $0.contains("_requests_total{") } <= 513)
    }

    @Test("A distribution is written in cumulative buckets, with sum and count")
    func distribution() async {
        let count = CommitCounter()
        for writes in [1, 1, 2, 5, 256, 300] { count.add(writes: writes) }
        metrics.addHistogram("b", "B.") {
            .init(
                buckets: zip(CommitCounter.bounds, count.buckets).map { ($0, $1) },
                sum: count.writes, count: count.commits)
        }
        let text = await metrics.page().text
        #expect(text.contains("# TYPE b histogram\nb_bucket{le=\"1\"} 2\n"))
        for line in [
            "b_bucket{le=\"2\"} 3", "b_bucket{le=\"4\"} 3", "b_bucket{le=\"8\"} 4",
            "b_bucket{le=\"128\"} 4", "b_bucket{le=\"256\"} 5", "b_bucket{le=\"+Inf\"} 6",
            "b_sum 565", "b_count 6",
        ] { #expect(text.contains(line + "\n"), "\(line)") }
    }

    @Test("A gauge is read when the page is asked for, and left out when it knows nothing")
    func gauges() async {
        metrics.addGauge("a", "A.") { 1.5 }
        metrics.addGauge("b", "B.") { nil }
        let text = await metrics.page().text
        #expect(text.contains("# TYPE a gauge\na 1.5\n"))
        #expect(!text.contains("# HELP b"))
    }
}
