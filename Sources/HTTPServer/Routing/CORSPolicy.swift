// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import OAuth
import ProviderCore
import ProviderTokens
import Storage

/// The origins whose scripts may send requests to an endpoint and read its responses (CORS, Fetch
/// Standard, section 3.3). Endpoints that use cookies are not open to other origins.
package enum CORSPolicy: Sendable {
    /// The provider's own pages only.
    case none
    /// Pages of any origin, for public data or requests with a token.
    case everyone
    /// Pages of the origins of the client's redirect URIs.
    case ofClient
}

/// Verifies the origin of requests to endpoints with ``CORSPolicy/ofClient``.
///
/// Programs other than browsers send no `Origin` and are not affected. The filter refuses pages
/// that send requests in the name of a client with other origins.
struct CORSFilter: Sendable {
    let provider: Provider

    enum Admission {
        case admitted(as: CORSPolicy, origin: String?)
        case refused
    }

    static let refusal = Refusal(
        "origin_not_registered",
        "Pages of this origin are not allowed: the client has no redirect URI with it.",
        reason: "origin")

    func admit(_ request: ServerRequest, to route: HTTPRoute) async throws -> Admission {
        guard route.origins == .ofClient, let origin = request.headers[.origin] else {
            return .admitted(as: route.origins, origin: nil)
        }
        return try await isOfClient(origin, Self.clientID(of: request), in: request)
            ? .admitted(as: .ofClient, origin: origin) : .refused
    }

    /// Evaluates a preflight request (OPTIONS). One that does not name a client is admitted,
    /// because the request itself names the client in its body and is evaluated then.
    func admitPreflight(_ request: ServerRequest, to route: HTTPRoute) async throws -> Admission {
        guard route.origins == .ofClient, let origin = request.headers[.origin] else {
            return .admitted(as: route.origins, origin: nil)
        }
        guard let query = try? request.queryForm() else { return .refused }
        guard let clientID = query["client_id"] else {
            return .admitted(as: .ofClient, origin: origin)
        }
        return try await isOfClient(origin, clientID, in: request)
            ? .admitted(as: .ofClient, origin: origin) : .refused
    }

    /// A form names the client in its body; other requests name it in the query.
    private static func clientID(of request: ServerRequest) -> String? {
        if request.headers[.contentType].map(mediaType) == FormParameters.mediaType {
            return (try? request.form())?["client_id"]
        }
        return (try? request.queryForm())?["client_id"]
    }

    private func isOfClient(
        _ origin: String, _ clientID: String?, in request: ServerRequest
    ) async throws -> Bool {
        if origin == SiteOrigin(issuer: provider.issuer)?.origin { return true }
        guard let clientID,
            let client = try await provider.registeredClient(clientID, of: request.tenant),
            !client.client.disabled
        else { return false }
        return client.redirectURIs.contains { SiteOrigin(issuer: $0.text)?.origin == origin }
    }
}

extension CORSFilter.Admission {
    /// What a script cannot read unless it is told so: when to ask again, and what to report.
    private static let exposed = "Date, Retry-After, WWW-Authenticate, DPoP-Nonce, X-Request-ID"

    /// Says to the browser who may read the answer.
    func mark(_ response: inout ServerResponse) {
        switch self {
        case .admitted(as: .everyone, origin: _):
            response.headers[.accessControlAllowOrigin] = "*"
        case .admitted(as: .ofClient, let origin?):
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlExposeHeaders] = Self.exposed
            response.headers[.vary] = "Origin"
        case .admitted, .refused: break
        }
    }

    /// Whether a preflight is told what may be sent.
    var isOpen: Bool {
        switch self {
        case .admitted(as: .everyone, origin: _), .admitted(as: .ofClient, origin: .some): true
        case .admitted, .refused: false
        }
    }
}
