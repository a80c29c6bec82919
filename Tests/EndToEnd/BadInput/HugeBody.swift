// SPDX-License-Identifier: Apache-2.0

/// A body of 1 GB, sent until the server has had enough.
enum HugeBody {
    private static let size = 1 << 30
    /// What may fit into socket buffers on both sides before the cut is felt.
    static let patience = 16 << 20

    /// How many bytes of the body went out, and the status of the answer if it could be read.
    static func send(to route: ServerRoute, port: Int, chunked: Bool) throws -> (Int, Int?) {
        let connection = try Connection(port: port)
        let length = chunked ? "Transfer-Encoding: chunked" : "Content-Length: \(size)"
        let type =
            route.input == .json ? "application/json" : "application/x-www-form-urlencoded"
        try connection.send(
            Array(
                """
                \(route.method) \(route.path) HTTP/1.1\r
                Host: localhost\r
                Content-Type: \(type)\r
                \(length)\r
                \r

                """.utf8))
        var sent = 0
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 65536)
        let framed = chunked ? Array("10000\r\n".utf8) + piece + [13, 10] : piece
        do {
            while sent < size, !connection.hasInput {
                try connection.send(framed)
                sent += piece.count
            }
        } catch {}
        return (sent, (try? connection.answer())?.status)
    }
}
