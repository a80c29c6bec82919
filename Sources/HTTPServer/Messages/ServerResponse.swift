// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// One answer. The shell adds what holds for every answer.
package struct ServerResponse: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The body, where it is made while it is sent; ``body`` is empty then.
    package var stream: StreamedBody?

    package init(
        status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = [],
        stream: StreamedBody? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.stream = stream
    }

    /// Whether `Content-Length` belongs to it (RFC 9110 section 8.6).
    var sendsContentLength: Bool {
        stream == nil && status != .noContent && status != .notModified
    }

    /// A JSON response that must not be cached.
    package static func json(
        _ body: [UInt8], status: HTTPResponse.Status = .ok
    ) -> ServerResponse {
        ServerResponse(status: status, headers: jsonHeaders, body: body)
    }

    /// A JSON response that may be cached for `seconds`: discovery and key sets.
    package static func publicJSON(_ body: [UInt8], seconds: Int) -> ServerResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers.append(HTTPField(name: .cacheControl, value: "public, max-age=\(seconds)"))
        return ServerResponse(status: .ok, headers: headers, body: body)
    }

    package static func html(_ body: String, status: HTTPResponse.Status = .ok) -> ServerResponse {
        ServerResponse(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: Array(body.utf8))
    }

    /// 303: the browser continues with GET, so a posted password is never sent on (RFC 9700
    /// section 4.12).
    package static func redirect(to location: String) -> ServerResponse {
        ServerResponse(
            status: .seeOther, headers: [.location: location, .cacheControl: "no-store"])
    }

    package static let noContent = ServerResponse(status: .noContent)

    private static let jsonHeaders: HTTPFields = [
        .contentType: "application/json", .cacheControl: "no-store",
    ]

    /// Adds a cookie. All cookies have the same strict attributes.
    ///
    /// - Parameter isPartitioned: for a frame in another site's page: the browser keeps the cookie
    ///   for frames in pages of that site only (CHIPS, draft-cutler-httpbis-partitioned-cookies).
    package mutating func setCookie(
        _ name: String, _ value: String, isSecure: Bool, maxAge: Int64? = nil,
        isPartitioned: Bool = false, path: String = "/"
    ) {
        let site = isPartitioned ? "None; Partitioned" : "Lax"
        var text = "\(name)=\(value); Path=\(path); HttpOnly; SameSite=\(site)"
        if isSecure { text += "; Secure" }
        if let maxAge { text += "; Max-Age=\(maxAge)" }
        headers.append(HTTPField(name: .setCookie, value: text))
    }
}
