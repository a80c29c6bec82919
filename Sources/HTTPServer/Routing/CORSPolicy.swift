// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import ProviderCore

/// The origins whose scripts may send requests to an endpoint and read its responses (CORS, Fetch
/// Standard, section 3.3). Endpoints that use cookies are not open to other origins.
package enum CORSPolicy: Sendable {
    /// Whether an origin is one of the client with this `client_id`.
    package typealias IsOfClient =
        @Sendable (_ origin: String, _ clientID: String, Tenant) async throws -> Bool

    /// The provider's own pages only.
    case none
    /// Pages of any origin, for public data or requests with a token.
    case everyone
    /// Pages of the provider, and of the origins of the client.
    case ofClient(IsOfClient)
}

/// Verifies the origin of requests to endpoints with ``CORSPolicy/ofClient(_:)``.
///
/// Programs other than browsers send no `Origin` and are not affected. The filter refuses pages
/// that send requests in the name of a client with other origins.
struct CORSFilter: Sendable {
    let provider: Provider

    enum Admission: Equatable {
        /// The response is for the provider's own pages, or for a program.
        case own
        /// The response is for pages of any origin.
        case everyone
        case origin(String)
        case refused
    }

    static let refusal = Refusal(
        "origin_not_registered",
        "Pages of this origin are not allowed: the client has no redirect URI with it.",
        reason: "origin")

    func admit(_ request: ServerRequest, to route: HTTPRoute) async throws -> Admission {
        try await admission(of: request, to: route) { origin, isOfClient in
            guard let clientID = Self.clientID(of: request) else { return false }
            return try await isOfClient(origin, clientID, request.tenant)
        }
    }

    /// Evaluates a preflight request (OPTIONS). One that does not name a client is admitted,
    /// because the request itself names the client in its body and is evaluated then.
    func admitPreflight(_ request: ServerRequest, to route: HTTPRoute) async throws -> Admission {
        try await admission(of: request, to: route) { origin, isOfClient in
            guard let query = try? request.queryForm() else { return false }
            guard let clientID = query["client_id"] else { return true }
            return try await isOfClient(origin, clientID, request.tenant)
        }
    }

    private func admission(
        of request: ServerRequest, to route: HTTPRoute,
        _ isAdmitted: (String, CORSPolicy.IsOfClient) async throws -> Bool
    ) async throws -> Admission {
        switch route.origins {
        case .none: return .own
        case .everyone: return .everyone
        case .ofClient(let isOfClient):
            guard let origin = request.headers[.origin] else { return .own }
            let isOwn = origin == SiteOrigin(issuer: provider.issuer)?.origin
            if isOwn { return .origin(origin) }
            return try await isAdmitted(origin, isOfClient) ? .origin(origin) : .refused
        }
    }

    /// A form names the client in its body; other requests name it in the query.
    private static func clientID(of request: ServerRequest) -> String? {
        if request.headers[.contentType].map(mediaType) == FormParameters.mediaType {
            return (try? request.form())?["client_id"]
        }
        return (try? request.queryForm())?["client_id"]
    }
}

extension CORSFilter.Admission {
    /// What a script cannot read unless it is told so: when to ask again, and what to report.
    private static let exposed = "Date, Retry-After, WWW-Authenticate, DPoP-Nonce, X-Request-ID"

    /// Says to the browser who may read the answer.
    func mark(_ response: inout ServerResponse) {
        switch self {
        case .everyone: response.headers[.accessControlAllowOrigin] = "*"
        case .origin(let origin):
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlExposeHeaders] = Self.exposed
            response.headers[.vary] = "Origin"
        case .own, .refused: break
        }
    }

    /// Whether a preflight is told what may be sent.
    var isOpen: Bool {
        switch self {
        case .everyone, .origin: true
        case .own, .refused: false
        }
    }
}
