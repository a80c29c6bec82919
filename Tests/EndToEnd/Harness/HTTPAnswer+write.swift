// SPDX-License-Identifier: Apache-2.0

extension HTTPAnswer {
    /// As it goes out again, over a connection that ends with it.
    var bytes: [UInt8] {
        let own = ["transfer-encoding", "content-length", "connection", "keep-alive"]
        var head = "HTTP/1.1 \(status) Status\r\n"
        for (name, value) in headers where !own.contains(name.lowercased()) {
            head += "\(name): \(value)\r\n"
        }
        if status != 204, status != 304 { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "Connection: close\r\n\r\n").utf8) + body
    }
}

/// A request as it came over the wire, whole.
struct ReceivedRequest: Sendable {
    let method: String
    /// With query.
    let target: String
    private let headers: [String]
    private let body: [UInt8]

    var path: String { String(target.prefix { $0 != "?" }) }

    /// Reads one; its body has a length.
    init(from connection: Connection) throws {
        var bytes: [UInt8] = []
        var end: Int?
        while end == nil {
            try Self.more(&bytes, connection)
            end = bytes.firstRange(of: [13, 10, 13, 10])?.lowerBound
        }
        let head = String(decoding: bytes[..<(end ?? 0)], as: UTF8.self)
        var lines = head.split(separator: "\r\n").map(String.init)
        let words = (lines.isEmpty ? "" : lines.removeFirst()).split(separator: " ")
        guard words.count == 3 else { throw Connection.Failure.reset }
        (method, target) = (String(words[0]), String(words[1]))
        headers = lines.filter { !$0.lowercased().hasPrefix("connection:") }
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) }
        var body = Array(bytes[((end ?? 0) + 4)...])
        while body.count < length ?? 0 { try Self.more(&body, connection) }
        self.body = body
    }

    private static func more(_ bytes: inout [UInt8], _ connection: Connection) throws {
        let next = try connection.receive()
        guard !next.isEmpty else { throw Connection.Failure.reset }
        bytes += next
    }

    /// The transmitted request, for a separate connection.
    var bytes: [UInt8] {
        let lines = ["\(method) \(target) HTTP/1.1"] + headers + ["Connection: close", "", ""]
        return Array(lines.joined(separator: "\r\n").utf8) + body
    }
}
