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

    /// Bytes past the limit that are read and thrown away, so that whoever sent a little too much
    /// sees the answer instead of a broken connection.
    static let tolerance = 1 << 20

    /// Closes the connection when the body has not come after this time, however busily it drips.
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
