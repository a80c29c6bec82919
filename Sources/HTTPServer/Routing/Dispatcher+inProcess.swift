// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import ProviderCore

/// One exchange without a connection, in plain values: for a provider in the process of those who
/// ask it.
package struct InProcessRequest: Sendable {
    package var method: String
    /// Path and query.
    package var target: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(
        method: String, target: String, headers: [(name: String, value: String)], body: [UInt8]
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// What came of it.
    package struct InProcessResponse: Sendable {
        package let status: Int
        /// Names in lower case; of repeated fields the last.
        package let headers: [String: String]
        package let body: [UInt8]
    }
}

extension Dispatcher {
    /// The answer; `nil` for a method that is none.
    package func answer(
        to exchange: InProcessRequest, facts: RequestMetadata
    ) async throws -> InProcessRequest.InProcessResponse? {
        guard let method = HTTPRequest.Method(exchange.method) else { return nil }
        var request = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: exchange.target)
        for (name, value) in exchange.headers {
            if let name = HTTPField.Name(name) { request.headerFields[name] = value }
        }
        var response: ServerResponse
        switch try await destination(for: request, facts: facts, isSecure: false) {
        case .answer(let answer): response = answer
        case .route(let route, var seen):
            seen.body = exchange.body
            response = await respond(to: seen, by: route)
        }
        if let stream = response.stream { response.body = try await stream.collected() }
        var headers: [String: String] = [:]
        for field in response.headers { headers[field.name.canonicalName] = field.value }
        return InProcessRequest.InProcessResponse(
            status: response.status.code, headers: headers, body: response.body)
    }
}
