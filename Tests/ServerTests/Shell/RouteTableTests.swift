// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Testing

@testable import HTTPServer

@Suite struct RouteTableTests {
    private struct Group: HTTPRouteGroup {
        func routes() -> [HTTPRoute] {
            [
                HTTPRoute(.get, "/a") { _ in .noContent },
                HTTPRoute(.post, "/a") { _ in .noContent },
                HTTPRoute(.get, "/things/{id}") { _ in .noContent },
                HTTPRoute(.post, "/things/{id}/remove") { _ in .noContent },
                HTTPRoute(.post, "/things/create") { _ in .noContent },
                HTTPRoute(.get, "/homes/{home}/things/{id}") { _ in .noContent },
                HTTPRoute(.post, "/homes/{home}/things/create") { _ in .noContent },
            ]
        }
    }

    private let table = RouteTable([Group()])

    private func pattern(_ method: HTTPRequest.Method, _ path: String) -> String? {
        guard case .found(let route, _) = table.match(method, path: path) else { return nil }
        return "\(route.method.rawValue) \(route.pattern)"
    }

    @Test("whole paths and patterns are found by method")
    func finds() {
        #expect(pattern(.get, "/a") == "GET /a")
        #expect(pattern(.post, "/a") == "POST /a")
        #expect(pattern(.head, "/a") == "GET /a")
        #expect(pattern(.post, "/things/7/remove") == "POST /things/{id}/remove")
    }

    @Test("a resource that is named like an action still has its page")
    func namedLikeAct() {
        #expect(pattern(.get, "/things/create") == "GET /things/{id}")
        #expect(pattern(.post, "/things/create") == "POST /things/create")
        #expect(pattern(.head, "/homes/1/things/create") == "GET /homes/{home}/things/{id}")
        #expect(
            pattern(.post, "/homes/1/things/create") == "POST /homes/{home}/things/create")
        guard case .methodNotAllowed(let routes) = table.match(.put, path: "/things/create") else {
            Issue.record("not refused")
            return
        }
        #expect(Set(routes.map(\.method)) == [.get, .post])
    }

    @Test("a parameter is percent-decoded")
    func parameter() {
        guard case .found(_, let values) = table.match(.get, path: "/things/%C3%A4") else {
            Issue.record("not found")
            return
        }
        #expect(values == ["id": "ä"])
    }

    @Test(
        "other paths are not found",
        arguments: [
            "/", "/a/", "/A", "//a", "/things", "/things/", "/things/1/2", "/things/%ff",
            "/things/%00", "/things/1/remove/",
        ])
    func notFound(_ path: String) {
        guard case .notFound = table.match(.post, path: path) else {
            Issue.record("matched \(path)")
            return
        }
    }

    @Test("a known path with another method says which methods it has")
    func methodNotAllowed() {
        guard case .methodNotAllowed(let routes) = table.match(.delete, path: "/a") else {
            Issue.record("not refused")
            return
        }
        #expect(Set(routes.map(\.method)) == [.get, .post])
    }
}
