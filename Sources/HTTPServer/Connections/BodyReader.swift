// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Reads a request's body whole, within its limit and in good time.
enum BodyReader {
    enum Outcome {
        case read([UInt8])
        /// `isDrained` when the rest was read and thrown away, so the connection can go on.
        case tooLarge(isDrained: Bool)
    }

    /// The maximum of bytes beyond the limit that are read and discarded, so that a client with a
    /// slightly too long body receives the response instead of a broken connection.
    static let tolerance = 1 << 20

    /// Closes the connection if the body is not complete after this time, also if bytes still
    /// arrive.
    static let deadline = TimeAmount.seconds(20)

    static func read(
        _ request: Request, limit: Int, on channel: any Channel
    ) async throws -> Outcome {
        if let length = request.headers[.contentLength], let count = Int(length) {
            if count == 0 { return .read([]) }
            if count > limit + tolerance || count < 0 { return .tooLarge(isDrained: false) }
        } else if request.headers[.transferEncoding] == nil, request.head.method == .get {
            return .read([])
        }
        let timer = channel.eventLoop.scheduleTask(in: deadline) {
            channel.close(mode: .all, promise: nil)
        }
        defer { timer.cancel() }
        return try await collect(request.body, limit: limit)
    }

    private static func collect(_ body: RequestBody, limit: Int) async throws -> Outcome {
        var bytes: [UInt8] = []
        var count = 0
        for try await buffer in body {
            count += buffer.readableBytes
            if count > limit + tolerance { return .tooLarge(isDrained: false) }
            if count <= limit {
                bytes.append(contentsOf: buffer.readableBytesView)
            } else {
                bytes = []
            }
        }
        return count <= limit ? .read(bytes) : .tooLarge(isDrained: true)
    }
}
