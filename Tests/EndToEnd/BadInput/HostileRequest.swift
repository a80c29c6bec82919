// SPDX-License-Identifier: Apache-2.0

/// One bad request, byte for byte.
struct HostileRequest: Sendable {
    let about: String
    let bytes: [UInt8]

    /// Everything bad that is sent to one route whole, in one piece.
    static func all(for route: ServerRoute) -> [HostileRequest] {
        var requests = headers(route) + [wrongMethod(route)]
        switch route.input {
        case .none: break
        case .query: requests += queries(route)
        case .form: requests += forms(route)
        case .json: requests += documents(route)
        }
        return requests
    }

    private static func request(
        _ route: ServerRoute, method: String? = nil, query: String = "", type: String? = nil,
        headers: String = "", body: [UInt8]? = nil
    ) -> [UInt8] {
        var head = "\(method ?? route.method) \(route.path)\(query) HTTP/1.1\r\n"
        head += "Host: localhost\r\nConnection: close\r\n\(headers)"
        if let type { head += "Content-Type: \(type)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }

    private static func wrongMethod(_ route: ServerRoute) -> HostileRequest {
        HostileRequest(about: "wrong method", bytes: request(route, method: "DELETE"))
    }

    private static func queries(_ route: ServerRoute) -> [HostileRequest] {
        [
            ("10,000 parameters", "?" + many()),
            ("300 parameters", "?" + (0..<300).map { "p\($0)=1" }.joined(separator: "&")),
            ("repeated parameters", "?client_id=a&client_id=b"),
            ("invalid UTF-8", "?client_id=%C3%28"),
            ("NUL", "?client_id=a%00b"),
            ("broken percent", "?client_id=%zz%"),
        ].map { HostileRequest(about: $0.0, bytes: request(route, query: $0.1)) }
    }

    private static func forms(_ route: ServerRoute) -> [HostileRequest] {
        let type = "application/x-www-form-urlencoded"
        func form(_ about: String, _ body: String) -> HostileRequest {
            HostileRequest(about: about, bytes: request(route, type: type, body: Array(body.utf8)))
        }
        let raw = Array("client_id=".utf8) + [0xC3, 0x28, 0xFF]
        return [
            HostileRequest(about: "no body", bytes: request(route, body: [])),
            HostileRequest(
                about: "wrong type",
                bytes: request(route, type: "application/xml", body: Array("<a/>".utf8))),
            form("10,000 parameters", many()),
            form("repeated parameters", "grant_type=a&grant_type=b"),
            form("invalid UTF-8", "client_id=%C3%28"),
            HostileRequest(about: "raw bytes", bytes: request(route, type: type, body: raw)),
            form("NUL", "client_id=a%00b"),
            form("one long value", "client_id=" + String(repeating: "a", count: 60_000)),
            form("more than the limit", "a=" + String(repeating: "a", count: 70_000)),
        ]
    }

    private static func documents(_ route: ServerRoute) -> [HostileRequest] {
        func json(_ about: String, _ body: [UInt8]) -> HostileRequest {
            HostileRequest(
                about: about, bytes: request(route, type: "application/json", body: body))
        }
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        let objects = String(repeating: #"{"a":"#, count: 10_000)
        return [
            json("no body", []),
            HostileRequest(
                about: "wrong type",
                bytes: request(route, type: "application/xml", body: Array("<a/>".utf8))),
            json("JSON 10,000 deep", Array(deep.utf8)),
            json("objects 10,000 deep", Array(objects.utf8)),
            json(
                "invalid UTF-8", Array(#"{"username":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8)),
            json("repeated members", Array(#"{"username":"a","username":"b"}"#.utf8)),
            json("a lone surrogate", Array(#"{"username":"\ud800"}"#.utf8)),
            json("a huge number", Array("{\"username\":1e999999}".utf8)),
        ]
    }

    private static func headers(_ route: ServerRoute) -> [HostileRequest] {
        let long = String(repeating: "a", count: 40_000)
        let lines = (0..<2_000).map { "X-\($0): 1\r\n" }.joined()
        return [
            ("a header of 40,000 bytes", "X-Long: \(long)\r\n"), ("2,000 headers", lines),
            ("a header without a colon", "Nonsense\r\n"), ("NUL in a header", "X-Nul: a\0b\r\n"),
            ("two lengths", "Content-Length: 1\r\nContent-Length: 2\r\n"),
            ("a length below zero", "Content-Length: -1\r\n"),
            ("a length past all integers", "Content-Length: 99999999999999999999999\r\n"),
            ("an unknown transfer coding", "Transfer-Encoding: zip\r\n"),
        ].map { HostileRequest(about: $0.0, bytes: request(route, headers: $0.1)) }
    }

    /// 10,000 parameters in as few bytes as they need.
    private static func many() -> String {
        (0..<10_000).map { "\(String($0, radix: 36))=" }.joined(separator: "&")
    }
}
