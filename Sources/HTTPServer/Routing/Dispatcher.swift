// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import Logging
package import ProviderCore
import Storage

/// From a request's head to its route, and from whatever happens to an answer.
///
/// Knows no HTTP connection, so tests can call it without a socket.
package struct Dispatcher: Sendable {
    package typealias ErrorPage =
        @Sendable (ServerRequest, HTTPResponse.Status, Refusal) -> ServerResponse

    package let provider: Provider
    package let routes: RouteTable
    /// The prefix of every path of the provider: `""`, or for example `/auth`.
    private let base: String
    /// Renders the error page for people; `nil` until there are pages.
    package let errorPage: ErrorPage?

    /// - Parameter base: The prefix; that of the provider's issuer if absent.
    package init(
        provider: Provider, groups: [any HTTPRouteGroup], base: String? = nil,
        errorPage: ErrorPage? = nil
    ) {
        self.provider = provider
        routes = RouteTable(groups)
        self.base = base ?? IssuerAddress(provider.issuer).path
        self.errorPage = errorPage
    }

    /// What the head of a request says about who answers it.
    package enum Destination: Sendable {
        case route(HTTPRoute, ServerRequest)
        case answer(ServerResponse)
    }

    /// What the first line of a request says.
    func line(_ method: HTTPRequest.Method, _ target: String) -> RequestLine {
        RequestLine(
            method, RequestTarget(target, base: base, ofHost: routes.ofHost), routes)
    }

    /// Finds tenant and route. The request's body is still to be read, up to the route's limit.
    package func destination(
        for request: HTTPRequest, facts: RequestMetadata, isSecure: Bool
    )
        async throws -> Destination
    {
        try await destination(
            of: line(request.method, request.path ?? "/"),
            headers: RequestHeaders(request.headerFields), facts: facts,
            isSecure: isSecure)
    }

    /// As above, with what the first line says already read.
    package func destination(
        of line: RequestLine, headers: RequestHeaders, facts: RequestMetadata, isSecure: Bool
    ) async throws -> Destination {
        if case .found(let route, _) = line.match, let direct = route.direct {
            return .answer(await direct())
        }
        let project = line.target.project
        func request(of tenant: Tenant) -> ServerRequest {
            ServerRequest(
                method: line.method, path: line.target.path, query: line.target.query,
                headers: headers, tenant: tenant, facts: facts, isSecure: isSecure)
        }
        let tenant: Tenant?
        do {
            guard provider.availability.isAvailable else { throw Self.outage }
            tenant = try await provider.tenant(named: project)
        } catch  where provider.availability.report(error) {
            let last = provider.tenants.last(for: project)
            return .answer(unavailable(facts, last.map(request)))
        }
        guard let tenant else { return .answer(notFound(facts)) }
        var seen = request(of: tenant)
        switch line.match {
        case .found(let route, let parameters):
            seen.parameters = parameters
            seen.facts.proof = proof(with: seen)
            return .route(route, seen)
        case .methodNotAllowed(let routes):
            return .answer(try await methodNotAllowed(seen, by: routes))
        case .notFound:
            return .answer(refuse(seen, .notFound, Self.unknownPath))
        }
    }

    private static let proofField = HTTPField.Name("DPoP")

    /// What proves a key (RFC 9449), where something does.
    private func proof(with request: ServerRequest) -> PresentedDPoPProof? {
        guard let field = Self.proofField, request.headers[field] != nil else {
            return nil
        }
        return PresentedDPoPProof(
            fields: request.headers[values: field], method: request.method.rawValue,
            address: request.tenant.issuer + request.path)
    }

    /// Runs the handler; what it throws becomes 503, with the cause in the log only.
    package func respond(to request: ServerRequest, by route: HTTPRoute) async -> ServerResponse {
        do {
            let admission = try await CORSFilter(provider: provider).admit(request, to: route)
            if case .refused = admission {
                return refuse(request, .forbidden, CORSFilter.refusal)
            }
            var response = await answer(to: request, by: route)
            admission.mark(&response)
            return response
        } catch {
            return failed(error, request: request)
        }
    }

    private func answer(to request: ServerRequest, by route: HTTPRoute) async -> ServerResponse {
        do {
            return try await route.handler(request)
        } catch {
            return failed(error, request: request)
        }
    }

    /// Returns the response to an unexpected error: status 503. Only the log contains the cause.
    package func failed(_ error: any Error, request: ServerRequest) -> ServerResponse {
        // An outage is one line of the log, not one for each request.
        provider.log.log(
            level: provider.availability.report(error) ? .debug : .error,
            "request failed",
            metadata: [
                "request_id": "\(request.facts.requestID)", "path": "\(request.path)",
                "error": "\(error)",
            ])
        return refuse(
            request, .serviceUnavailable,
            Self.temporarily("\(error)"))
    }

    private static func temporarily(_ reason: String) -> Refusal {
        Refusal(
            "temporarily_unavailable", "Something failed on our side. Please try again.",
            reason: reason, retryAfter: 1)
    }

    private static let outage = StorageError(.unavailable, "the database does not respond")

    /// - Parameter request: with the project as it was before the outage, for the page of a person.
    private func unavailable(_ facts: RequestMetadata, _ request: ServerRequest?) -> ServerResponse
    {
        let refusal = Self.temporarily(Self.outage.reason)
        if let request { return refuse(request, .serviceUnavailable, refusal) }
        return Problem.response(
            refusal, status: .serviceUnavailable, requestID: facts.requestID)
    }

    /// The refusal as a page for a person or as a problem document for a program.
    package func refuse(
        _ request: ServerRequest, _ status: HTTPResponse.Status, _ refusal: Refusal
    ) -> ServerResponse {
        if request.wantsPage, let errorPage {
            var page = errorPage(request, status, refusal)
            if let wait = refusal.retryAfter { page.headers[.retryAfter] = String(wait) }
            return page
        }
        return Problem.response(refusal, status: status, requestID: request.facts.requestID)
    }

    private static let unknownPath = Refusal(
        "not_found", "There is nothing at this address.", reason: "no route")

    private func notFound(_ facts: RequestMetadata) -> ServerResponse {
        Problem.response(Self.unknownPath, status: .notFound, requestID: facts.requestID)
    }

    private func methodNotAllowed(
        _ request: ServerRequest, by routes: [HTTPRoute]
    ) async throws -> ServerResponse {
        let allowed = routes.map(\.method)
        let list = Set(allowed.map(\.rawValue)).union(allowed.contains(.get) ? ["HEAD"] : [])
            .sorted().joined(separator: ", ")
        if request.method == .options {
            return try await preflight(request, routes, allowed: list)
        }
        var response = refuse(
            request, .methodNotAllowed,
            Refusal("method_not_allowed", "Use \(list) here.", reason: "method"))
        response.headers[.allow] = list
        return response
    }

    /// OPTIONS, and with it the CORS preflight of endpoints that other origins may ask.
    private func preflight(
        _ request: ServerRequest, _ routes: [HTTPRoute], allowed: String
    ) async throws -> ServerResponse {
        var response = ServerResponse.noContent
        response.headers[.allow] = allowed
        let asked = request.headers[.accessControlRequestMethod]
        guard let route = routes.first(where: { $0.method.rawValue == asked }) ?? routes.first
        else { return response }
        let admission = try await CORSFilter(provider: provider)
            .admitPreflight(request, to: route)
        if admission.isOpen {
            admission.mark(&response)
            response.headers[.accessControlAllowMethods] = allowed
            response.headers[.accessControlAllowHeaders] =
                "Authorization, Content-Type, DPoP, Gatehouse-Application"
            response.headers[.accessControlMaxAge] = "3600"
        }
        return response
    }
}
