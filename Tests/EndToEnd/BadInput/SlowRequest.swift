// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A request that comes one byte at a time, or stops in the middle.
struct SlowRequest: Sendable {
    enum Part: Sendable, CaseIterable {
        /// The head stops before its end.
        case head
        /// The head is whole, the body drips: each byte in time, all of them far too late.
        case body

        func fits(_ route: ServerRoute) -> Bool {
            self == .head ? route.path == "/token" : route.method == "POST"
        }
    }

    /// The longest that a drip may hold a connection.
    static let limit = Duration.seconds(75)

    let route: ServerRoute
    let part: Part

    /// Returns `nil` if the server ended the request in time, otherwise the error.
    ///
    /// Waits for the server on a separate thread: there are as many as routes.
    func run(port: Int) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try drip(port: port) })
            }
        }
    }

    private func drip(port: Int) throws -> String? {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: Self.limit)
        let connection = try Connection(port: port, timeout: 1)
        let type =
            route.input == .json ? "application/json" : "application/x-www-form-urlencoded"
        var head = "\(route.method) \(route.path) HTTP/1.1\r\nHost: localhost\r\n"
        if part == .body { head += "Content-Type: \(type)\r\nContent-Length: 5000\r\n\r\n" }
        try connection.send(Array(head.utf8))
        while clock.now < deadline {
            // Between two drops; the server's answer, or its end of the connection, comes at once.
            if connection.waits(atMost: 500) { return nil }
            guard part == .body else { continue }
            do { try connection.send([UInt8(ascii: "a")]) } catch { return nil }
        }
        return "\(route): a slow \(part) was still welcome after \(Self.limit)"
    }
}
