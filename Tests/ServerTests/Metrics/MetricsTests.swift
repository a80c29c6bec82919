// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import Storage
import Testing

@testable import Server

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

    @Test("A method of the sender's own invention is `other`")
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

    @Test("A gauge is read when the page is asked for, and left out when it knows nothing")
    func gauges() async {
        metrics.addGauge("a", "A.") { 1.5 }
        metrics.addGauge("b", "B.") { nil }
        let text = await metrics.page().text
        #expect(text.contains("# TYPE a gauge\na 1.5\n"))
        #expect(!text.contains("# HELP b"))
    }
}
