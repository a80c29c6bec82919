// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import ProviderCore
import Storage

/// `prompt=select_account`: the account that is signed in, or another one.
struct AccountChoicePages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            pages.page("/choose-account") { visit in
                try await go(visit) { flow, handle in
                    try await flow.resume(handle, visit.request, visit.signedIn)
                }
            },
            pages.form("/choose-account") { visit, _ in try await current(visit) },
        ]
    }

    /// Continues with the current account. The page has a link to the sign-in page for another one.
    private func current(_ visit: PageContext) async throws -> ServerResponse {
        guard let signedIn = visit.signedIn else {
            return visit.redirect("/sign-in" + visit.carried)
        }
        return try await go(visit) { flow, handle in
            try await flow.chooseCurrent(handle, visit.request, signedIn)
        }
    }

    private func go(
        _ visit: PageContext,
        _ step: (any AuthorizationFlow, String) async throws -> FlowProgress
    ) async throws -> ServerResponse {
        guard let handle = visit.continuation, let flow = pages.flow else {
            return visit.redirect("/")
        }
        return try await ContinuationPages(pages: pages).respond(visit, step(flow, handle))
    }

    /// The page itself.
    func ask(_ visit: PageContext, _ ask: SignInPrompt) -> ServerResponse {
        let person = visit.signedIn?.person
        return visit.render(
            "choose-account", title: visit.text("chooseAccountTitle"),
            [
                "client": ask.client.face,
                "heading": visit.text("chooseAccountHeading", ["client": ask.client.name]),
                "name": person?.claims.name ?? person?.username ?? "",
                "username": person?.username ?? "",
                "other": "\(visit.prefix)/sign-in\(visit.carried)",
            ], here: "/choose-account", formOrigin: ask.redirectOrigin)
    }
}
