// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import NIOHTTP1

/// One request of an HTTP/1.1 connection, from its first line to its answer.
final class HTTP1Request {
    let line: RequestLine
    let headers: RequestHeaders
    /// RFC 9112 section 9.3.
    let keepsAlive: Bool
    let isOldVersion: Bool
    /// Whether the sender waits for `100 Continue` (RFC 9110 section 10.1.1).
    let expectsContinue: Bool
    private(set) var body: [UInt8] = []
    private var received = 0
    /// Its last byte has come.
    var isWhole = false
    /// When its handler was asked.
    var start = ContinuousClock.now
    let place: HTTPRequestHandler.Circumstances

    /// The maximum of bytes beyond the limit that are read and discarded, so that a client with a
    /// slightly too long body receives the response instead of a broken connection.
    private static let tolerance = 1 << 20

    /// Returns `nil` if the method is not a token, or if the head does not have one `Host` field (RFC 9112
    /// section 3.2).
    init?(_ head: HTTPRequestHead, from peer: TrustedProxies.Peer, _ exchange: HTTPRequestHandler) {
        headers = RequestHeaders(lines: head.headers)
        let hosts = headers.count(of: .host)
        isOldVersion = head.version != .http1_1
        guard hosts == 1 || (hosts == 0 && isOldVersion),
            let method = HTTPRequest.Method(known: head.method)
        else { return nil }
        line = exchange.dispatcher.line(method, Self.originForm(head.uri))
        place = exchange.circumstances(of: headers, from: peer)
        keepsAlive = head.isKeepAlive
        expectsContinue = !isOldVersion && headers[.expect]?.lowercased() == "100-continue"
        // The parser has refused a length that is not a number; one beyond `Int` is too large.
        declared = headers[.contentLength].map { Int($0) ?? .max }
    }

    private let declared: Int?

    /// Whether more comes, or came, than is worth reading.
    var isHopeless: Bool {
        max(declared ?? 0, received) > line.bodyLimit + Self.tolerance
    }

    /// `nil` when it was too long.
    var usableBody: [UInt8]? {
        isHopeless || received > line.bodyLimit ? nil : body
    }

    func append(_ piece: ByteBuffer) {
        received += piece.readableBytes
        if received <= line.bodyLimit {
            body.append(contentsOf: piece.readableBytesView)
        } else {
            body = []
        }
    }

    /// The path and query of a target that names its host as well (RFC 9112 section 3.2.2).
    private static func originForm(_ target: String) -> String {
        guard target.utf8.first != UInt8(ascii: "/"), let colon = target.firstRange(of: "://")
        else { return target }
        let rest = target[colon.upperBound...].utf8.drop {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
        }
        return rest.first == UInt8(ascii: "/") ? String(Substring(rest)) : "/" + Substring(rest)
    }
}

extension HTTPRequest.Method {
    fileprivate init?(known method: HTTPMethod) {
        switch method {
        case .GET: self = .get
        case .POST: self = .post
        case .HEAD: self = .head
        case .PUT: self = .put
        case .PATCH: self = .patch
        case .DELETE: self = .delete
        case .OPTIONS: self = .options
        default: self.init(method.rawValue)
        }
    }
}
