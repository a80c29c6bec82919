// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
package import ProviderCore
import ProviderUpstream
import Storage

/// Signs a person out at the upstream provider after the sign-out here, and receives the browser
/// afterwards.
package struct UpstreamSignOutPages: HTTPRouteGroup {
    let pages: Pages

    private static let path = "/sign-out"

    package func routes() -> [HTTPRoute] {
        [
            pages.page("/sign-out/onward") { try await resume($0) },
            pages.page("/sign-out/with/{provider}") { comeBack($0) },
        ]
    }

    // MARK: Before

    /// Gives the browser what signing out will need. It lives as long as a session can.
    static func remember(
        _ hint: UpstreamLogoutHint?, _ visit: PageContext, in response: inout ServerResponse
    ) throws {
        guard let hint else { return }
        response.setCookie(
            visit.cookies.upstream,
            try hint.sealed(in: visit.tenant, visit.pages.provider.secrets),
            isSecure: visit.request.isSecure,
            maxAge: visit.tenant.project.policy.sessionLifetime, path: visit.prefix + path)
    }

    /// Returns the URL that continues the sign-out at the upstream provider, or `nil` if the
    /// session has no federated factor.
    package static func onward(
        _ signedIn: AuthenticatedSession, place: String?, _ provider: Provider,
        _ request: ServerRequest
    ) throws -> String? {
        guard signedIn.session.factors.contains(where: \.isFederated) else { return nil }
        let journey = UpstreamSignOut.Journey(person: signedIn.person.id, place: place)
        let state = try UpstreamSignOut(provider, request.tenant, now: request.facts.now)
            .state(of: journey)
        return request.tenant.pathPrefix + path + "/onward?state=" + state
    }

    // MARK: There

    /// A page lies between: browsers hold redirects after a form against `form-action`.
    private func resume(_ visit: PageContext) async throws -> ServerResponse {
        let signOut = signOut(visit)
        guard let state = visit.query["state"], let journey = signOut.journey(in: state) else {
            return SignOutPages(pages: pages).goodbye(visit)
        }
        let hint = visit.request.cookie(visit.cookies.upstream).flatMap {
            UpstreamLogoutHint(sealed: $0, in: visit.tenant, pages.provider.secrets)
        }
        var response = end(journey, visit)
        if let hint,
            let there = try await signOut.address(hint, person: journey.person, state: state)
        {
            response = leave(visit, there.provider.displayName, there.address)
        }
        response.setCookie(
            visit.cookies.upstream, "", isSecure: visit.request.isSecure, maxAge: 0,
            path: visit.prefix + Self.path)
        return response
    }

    private func leave(_ visit: PageContext, _ name: String, _ address: String) -> ServerResponse {
        let values = ["provider": name]
        return visit.render(
            "leave", title: visit.text("providerSignOutTitle", values),
            [
                "address": address, "initial": PageContext.initial(of: name), "visitor": false,
                "heading": visit.text("providerSignOutTitle", values),
                "lead": visit.text("providerSignOutLead", values),
                "go": visit.text("providerLeave", values),
            ])
    }

    // MARK: Back

    /// Whatever the provider says: the person has signed out here before they went there.
    private func comeBack(_ visit: PageContext) -> ServerResponse {
        guard let journey = signOut(visit).journey(in: visit.query["state"]) else {
            return SignOutPages(pages: pages).goodbye(visit)
        }
        return end(journey, visit)
    }

    private func end(_ journey: UpstreamSignOut.Journey, _ visit: PageContext) -> ServerResponse {
        guard let place = journey.place else { return SignOutPages(pages: pages).goodbye(visit) }
        return .redirect(to: place)
    }

    private func signOut(_ visit: PageContext) -> UpstreamSignOut {
        UpstreamSignOut(pages.provider, visit.tenant, now: visit.now)
    }
}
