// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// An honest HTTP/1.1 request.
struct HTTPRequestText: Sendable {
    var method = "GET"
    /// With query.
    var path: String
    var headers: [(String, String)] = []
    var body: [UInt8] = []

    static func form(
        _ path: String, _ fields: [(String, String)], headers: [(String, String)] = []
    ) -> Self {
        let type = [("Content-Type", "application/x-www-form-urlencoded")]
        return Self(
            method: "POST", path: path, headers: type + headers,
            body: Array(formEncoded(fields).utf8))
    }

    /// The bytes for a server on that loopback port. The connection is kept unless told otherwise.
    func bytes(port: Int, close: Bool) -> [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if !body.isEmpty || method == "POST" { head += "Content-Length: \(body.count)\r\n" }
        if close { head += "Connection: close\r\n" }
        return Array((head + "\r\n").utf8) + body
    }
}

/// application/x-www-form-urlencoded.
func formEncoded(_ fields: [(String, String)]) -> String {
    let plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."\u{7f}"))
        .union(CharacterSet(charactersIn: "-._~"))
    func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
    return fields.map { "\(escape($0.0))=\(escape($0.1))" }.joined(separator: "&")
}

/// Sends one request on a separate connection.
func exchange(
    _ request: HTTPRequestText, port: Int, timeout: Int = 10
) async throws -> HTTPAnswer {
    try await blocking { try exchangeNow(request, port: port, timeout: timeout) }
}

/// The same, blocking: for load threads.
func exchangeNow(
    _ request: HTTPRequestText, port: Int, timeout: Int = 10
) throws -> HTTPAnswer {
    let connection = try Connection(port: port, timeout: timeout)
    try connection.send(request.bytes(port: port, close: true))
    return try connection.answer(toHead: request.method == "HEAD")
}

/// HTTP Basic credentials of a client, RFC 6749 section 2.3.1.
func basicAuthorization(_ identifier: String, _ secret: String) -> (String, String) {
    let pair = Data("\(identifier):\(secret)".utf8).base64EncodedString()
    return ("Authorization", "Basic \(pair)")
}
