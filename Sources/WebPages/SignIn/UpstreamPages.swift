// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import OAuth
import Primitives
import ProviderCore
import ProviderUpstream
import Storage

/// Pages for sign-in with an upstream provider: the redirect, the callback, and account linking.
struct UpstreamPages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            pages.page("/sign-in/with/{provider}") { try await leave($0) },
            HTTPRoute(.get, "/sign-in/with/{provider}/callback", bodyLimit: 0) { request in
                guard let query = try? request.queryForm() else {
                    return ErrorPages(pages: pages).badRequest(request)
                }
                return try await comeBack(request, query)
            },
            HTTPRoute(.post, "/sign-in/with/{provider}/callback", bodyLimit: 16_384) { request in
                try await bePosted(request)
            },
            pages.form("/account/providers/{provider}/link") { try await link($0, $1) },
        ]
    }

    // MARK: Buttons

    /// Returns the buttons of the sign-in page or the registration page.
    ///
    /// - Parameters:
    ///   - isAgain: Whether a signed-in person has to authenticate again.
    ///   - isNew: Whether the buttons are for people without an account.
    func buttons(
        _ visit: PageContext, isAgain: Bool, isNew: Bool = false
    ) async throws -> [[String: Any]] {
        // Sign-in pages of other providers refuse to be embedded in a frame.
        guard !visit.isFramed else { return [] }
        let providers = try await pages.provider.upstreamProviders(of: visit.tenant)
        return providers.filter { provider in
            provider.signsPeopleIn && (!isAgain || provider.kind == .oidc)
                && (!isNew || provider.settings.createsPeople)
        }.map { provider in
            let name = provider.displayName
            return [
                "href": "\(visit.prefix)/sign-in/with/\(provider.name)\(visit.carried)",
                "name": name, "text": visit.text("providerSignIn", ["provider": name]),
                "initial": PageContext.initial(of: name),
            ]
        }
    }

    // MARK: There

    /// Redirects to the provider. A person who is signed in has to authenticate again.
    private func leave(_ visit: PageContext) async throws -> ServerResponse {
        let outcome = try await UpstreamAuthorizationRedirect(visit.context).signIn(
            with: name(visit), browser: visit.browserSecret, isFresh: visit.signedIn != nil,
            continuation: visit.continuation, next: visit.next?.rawValue)
        switch outcome {
        case .success(let way):
            var response = ServerResponse.redirect(to: way.address)
            remember(way, visit, in: &response)
            return response
        case .failure(let refusal):
            return try await SignInPages(pages: pages).refuse(visit, refusal)
        }
    }

    /// Displays a page before the redirect, because browsers apply `form-action` to redirects after
    /// a form.
    private func link(_ visit: PageContext, _ form: FormParameters) async throws -> ServerResponse {
        guard let signedIn = visit.signedIn else {
            return visit.redirect("/sign-in?next=account")
        }
        let outcome = try await UpstreamAuthorizationRedirect(visit.context).link(
            to: name(visit), browser: visit.browserSecret, signedIn: signedIn)
        switch outcome {
        case .failure(let refusal) where needsSignIn(visit, signedIn, refusal):
            return try await InterruptedForm.signInAgain(
                form, visit, by: signedIn, page: "/account", replay: .confirmed,
                effect: visit.text("providerLink", ["provider": name(visit)]))
        case .failure(let refusal):
            return try await AccountPages(pages: pages).show(visit, signedIn, refusal: refusal)
        case .success(let way):
            let identifier = name(visit)
            let provider = try await pages.provider.upstreamProviders(of: visit.tenant)
                .first { $0.name == identifier }
            let name = provider?.displayName ?? identifier
            var response = visit.render(
                "leave", title: visit.text("providerLeaveTitle", ["provider": name]),
                [
                    "address": way.address, "initial": PageContext.initial(of: name),
                    "heading": visit.text("providerLeaveTitle", ["provider": name]),
                    "lead": visit.text("providerLeaveLead", ["provider": name]),
                    "go": visit.text("providerLeave", ["provider": name]),
                ], here: "/account")
            remember(way, visit, in: &response)
            return response
        }
    }

    /// In a free place; the cookie goes to this provider's pages alone.
    private func remember(
        _ way: UpstreamAuthorizationRedirect.Way, _ visit: PageContext,
        in response: inout ServerResponse
    ) {
        let places = visit.cookies.departures
        let place = places.first { $0.value(in: visit.request) == nil } ?? places[0]
        place.set(
            way.cookie, in: &response, isSecure: visit.request.isSecure,
            maxAge: UpstreamTransaction.lifetime.seconds, path: path(visit))
    }

    private func path(_ visit: PageContext) -> String {
        visit.prefix + UpstreamAuthorizationRedirect.path(name(visit))
    }

    /// Only a factor of this place helps, and it must be a new one.
    private func needsSignIn(
        _ visit: PageContext, _ signedIn: AuthenticatedSession, _ refusal: Refusal
    ) -> Bool {
        refusal.code == UserFacingRefusal.localFactorNeeded.rawValue
            && !signedIn.isFresh(at: visit.now)
    }

    // MARK: Back

    /// An answer in a form. The browser comes once more, with its cookies: nothing is done or set
    /// here, since another site's page can post whatever it likes.
    private func bePosted(_ request: ServerRequest) async throws -> ServerResponse {
        guard let form = try? request.form(), let answer = UpstreamResponse(posted: form.values)
        else { return ErrorPages(pages: pages).badRequest(request) }
        let visit = try await PageContext(request, query: try FormParameters([]), pages: pages)
        let sealed = try answer.sealed(at: name(visit), in: visit.context)
        return visit.redirect(
            UpstreamAuthorizationRedirect.callbackPath(name(visit)) + "?"
                + FormEncoding.encode([(name: "answer", value: sealed)]))
    }

    /// What came along: in the query, or sealed when it was posted.
    private func answer(_ query: FormParameters, _ visit: PageContext) -> [String: String] {
        guard let sealed = query["answer"] else { return query.values }
        return UpstreamResponse(sealed: sealed, at: name(visit), in: visit.context)?.values ?? [:]
    }

    /// What the attempt remembers says where the way goes on: nothing of that is in the address.
    private func comeBack(
        _ request: ServerRequest, _ query: FormParameters
    ) async throws -> ServerResponse {
        let arrived = try await PageContext(request, query: query, pages: pages)
        let answer = answer(query, arrived)
        let state = UpstreamState(
            text: answer["state"] ?? "", browser: arrived.browserSecret, in: arrived.context)
        let (attempt, cookie) = carried(state, arrived)
        let arrival = UpstreamCallback(
            at: name(arrived), state: state, attempt: attempt, code: answer["code"],
            error: answer["error"], issuer: answer["iss"])
        // The links of the page contain no parameter of the callback.
        let visit = try await PageContext(
            request, query: try FormParameters([]), pages: pages, resuming: attempt)
        var response = try await arrive(visit, arrival)
        cookie?.set(
            "", in: &response, isSecure: request.isSecure, maxAge: 0, path: path(arrived))
        return response
    }

    /// What the browser carries for the state, and in which cookie.
    private func carried(
        _ state: UpstreamState, _ visit: PageContext
    ) -> (UpstreamTransaction?, LongCookie?) {
        for cookie in visit.cookies.departures {
            guard let value = cookie.value(in: visit.request),
                let attempt = state.attempt(in: value, now: visit.now)
            else { continue }
            return (attempt, cookie)
        }
        return (nil, nil)
    }

    private func arrive(
        _ visit: PageContext, _ arrival: UpstreamCallback
    ) async throws -> ServerResponse {
        if case .link = arrival.attempt?.purpose { return try await linked(visit, arrival) }
        let outcome = try await CeremonyRunner(visit.context).run(
            UpstreamSignIn(arrival, replacing: visit.signedIn?.session))
        switch outcome {
        case .success(let signIn):
            var response = visit.welcome(
                signIn.cookie, signIn.signedIn.person, to: visit.destination)
            try UpstreamSignOutPages.remember(signIn.upstreamHint, visit, in: &response)
            return visit.addingCookies(response)
        case .failure(let refusal):
            return visit.addingCookies(try await SignInPages(pages: pages).refuse(visit, refusal))
        }
    }

    private func linked(
        _ visit: PageContext, _ arrival: UpstreamCallback
    ) async throws -> ServerResponse {
        let steps = UpstreamLink(arrival, signedIn: visit.signedIn)
        switch try await CeremonyRunner(visit.context).run(steps) {
        case .success: return visit.redirect("/account?done=linked")
        case .failure(let refusal):
            guard let signedIn = visit.signedIn else {
                return visit.redirect("/sign-in?next=account")
            }
            guard !needsSignIn(visit, signedIn, refusal) else {
                return visit.redirect("/sign-in?next=account&again=1")
            }
            return visit.addingCookies(
                try await AccountPages(pages: pages).show(visit, signedIn, refusal: refusal))
        }
    }

    private func name(_ visit: PageContext) -> String { visit.request.parameters["provider"] ?? "" }
}
