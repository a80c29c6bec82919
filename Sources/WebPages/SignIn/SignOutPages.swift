// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import ProviderCore
import Storage

/// Leaving: a question, since another site's link must not sign anyone out, and a goodbye.
struct SignOutPages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            pages.page("/sign-out") { try await ask($0) },
            pages.form("/sign-out") { visit, _ in try await leave(visit) },
        ]
    }

    private func ask(_ visit: PageContext) async throws -> ServerResponse {
        guard let person = visit.signedIn?.person else { return goodbye(visit) }
        var ask: SignOutPrompt?
        if let handle = visit.continuation {
            ask = try await pages.signOuts?.look(handle, visit.request)
        }
        let name = person.claims.name ?? person.username
        let lead =
            ask?.clientName.map { visit.text("signOutClientLead", ["client": $0, "name": name]) }
            ?? visit.text("signOutLead", ["name": name])
        return visit.render(
            "sign-out", title: visit.text("signOut"), ["lead": lead],
            formOrigin: ask?.redirectOrigin)
    }

    private func leave(_ visit: PageContext) async throws -> ServerResponse {
        if let signedIn = visit.signedIn {
            try await SessionService(provider: pages.provider).end(
                signedIn, tenant: visit.tenant, facts: visit.request.facts)
        }
        var place: String?
        if let handle = visit.continuation {
            place = try await pages.signOuts?.finish(handle, visit.request, visit.signedIn)
        }
        if let signedIn = visit.signedIn {
            place =
                try UpstreamSignOutPages.onward(
                    signedIn, place: place, pages.provider, visit.request) ?? place
        }
        var response = place.map(ServerResponse.redirect) ?? goodbye(visit)
        visit.clearSession(in: &response)
        return response
    }

    func goodbye(_ visit: PageContext) -> ServerResponse {
        let lead =
            switch visit.query["left"] {
            case "address": visit.text("signedOutHere")
            case "hint": visit.text("signedOutNoHint")
            default: visit.text("signedOutLead")
            }
        return visit.render(
            "message", title: visit.text("signedOutTitle"),
            [
                "good": true, "visitor": false,
                "heading": visit.text("signedOutTitle"),
                "lead": lead,
                "links": [["href": visit.prefix + "/sign-in", "text": visit.text("signIn")]],
            ])
    }
}
