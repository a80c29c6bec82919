// SPDX-License-Identifier: Apache-2.0

/// One request to a server. ``WebClient`` sends it; tests use a fake.
package struct WebRequest: Sendable {
    package var method: String
    package var url: String
    package var headers: [(String, String)]
    package var body: [UInt8]?

    package init(
        method: String, url: String, headers: [(String, String)] = [], body: [UInt8]? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The complete response.
package struct WebResponse: Sendable {
    package var status: Int
    package var body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// A transport for requests to servers.
package protocol WebTransport: Sendable {
    /// Throws if there is no response.
    func answer(to request: WebRequest) async throws -> WebResponse
}

extension WebClient: WebTransport {
    package func answer(to request: WebRequest) async throws -> WebResponse {
        let answer = try await send(
            request.method, request.url, headers: request.headers, body: request.body, seconds: 30)
        return WebResponse(status: answer.status, body: answer.body)
    }
}
