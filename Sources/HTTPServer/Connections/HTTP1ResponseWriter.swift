// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore

/// Writes an answer as HTTP/1.1 sends it: RFC 9112.
///
/// Names and values are those of `HTTPField`, which holds no line break, and the length is always
/// said, so an answer ends where it says it ends. A streamed body is not in it: it comes after, in
/// chunks.
struct HTTP1ResponseWriter {
    enum Connection { case asUsual, close, keepAlive }

    let response: ServerResponse
    let requestID: String
    let date: String
    let isSecure: Bool
    let isHead: Bool
    /// HTTP/1.0, which knows no chunks.
    let isOldVersion: Bool
    let connection: Connection

    /// The reserved size of a head. Most heads are smaller.
    private static let headSize = 640

    func write(into buffer: inout ByteBuffer) {
        let body = isHead ? [] : response.body
        buffer.reserveCapacity(minimumWritableBytes: Self.headSize + body.count)
        writeStatus(into: &buffer)
        var names = FieldNameFilter()
        for field in response.headers {
            names.insert(field.name.canonicalName)
            write(field, into: &buffer)
        }
        for (name, line) in SecurityHeaders.lines(isSecure: isSecure)
        where !names.mayContain(name.canonicalName) || !response.headers.contains(name) {
            buffer.writeString(line)
        }
        writeEnd(into: &buffer)
        buffer.writeBytes(body)
    }

    private func writeStatus(into buffer: inout ByteBuffer) {
        if response.status == .ok {
            buffer.writeStaticString("HTTP/1.1 200 OK\r\n")
        } else {
            buffer.writeString(
                "HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)\r\n")
        }
    }

    private func write(_ field: HTTPField, into buffer: inout ByteBuffer) {
        buffer.writeString(field.name.rawName)
        buffer.writeStaticString(": ")
        buffer.writeString(field.value)
        buffer.writeStaticString("\r\n")
    }

    private func writeEnd(into buffer: inout ByteBuffer) {
        buffer.writeStaticString("X-Request-ID: ")
        buffer.writeString(requestID)
        buffer.writeStaticString("\r\nDate: ")
        buffer.writeString(date)
        if response.sendsContentLength {
            buffer.writeStaticString("\r\nContent-Length: ")
            buffer.writeString(String(response.body.count))
        } else if response.stream != nil, !isHead, !isOldVersion {
            buffer.writeStaticString("\r\nTransfer-Encoding: chunked")
        }
        switch connection {
        case .asUsual: buffer.writeStaticString("\r\n\r\n")
        case .close: buffer.writeStaticString("\r\nConnection: close\r\n\r\n")
        case .keepAlive: buffer.writeStaticString("\r\nConnection: keep-alive\r\n\r\n")
        }
    }
}
