// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

package typealias Handler = @Sendable (ServerRequest) async throws -> ServerResponse

/// One endpoint: a method, a path and what answers.
package struct HTTPRoute: Sendable {
    package var method: HTTPRequest.Method
    /// Segments in braces match any one segment: `/account/credentials/{id}/remove`.
    package var pattern: String
    package var handler: Handler
    /// In bytes; a longer body is answered with 413.
    package var bodyLimit: Int
    package static let usualBodyLimit = 65_536
    /// Whose pages may ask and read the answer (it carries no cookie then).
    package var origins: CORSPolicy
    /// The response of an endpoint that is about the process and not about a project. It does not
    /// need the store.
    package let direct: (@Sendable () async -> ServerResponse)?
    /// Whether it is found at the root of the host as well when the issuer has a path.
    package var isOfHost: Bool

    package init(
        _ method: HTTPRequest.Method, _ pattern: String, bodyLimit: Int = HTTPRoute.usualBodyLimit,
        origins: CORSPolicy = .none, isOfHost: Bool = false, handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.handler = handler
        self.bodyLimit = bodyLimit
        self.origins = origins
        self.isOfHost = isOfHost
        direct = nil
    }

    /// An endpoint of the process, at the root of the host.
    package init(
        ofProcess pattern: String, _ direct: @escaping @Sendable () async -> ServerResponse
    ) {
        method = .get
        self.pattern = pattern
        handler = { _ in await direct() }
        bodyLimit = 0
        origins = .none
        isOfHost = true
        self.direct = direct
    }
}

/// Endpoints that belong together.
package protocol HTTPRouteGroup: Sendable {
    func routes() -> [HTTPRoute]
}
