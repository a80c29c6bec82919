// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import Storage

/// Where an app sends its person to be signed in in the browser. The address works once, leads to
/// one registered place, and is in no Referer: every answer of ours says `no-referrer`.
struct HandoffPages: RouteGroup {
    let pages: Pages

    func routes() -> [Route] {
        [pages.page("/handoff") { try await enter($0) }]
    }

    private func enter(_ visit: Visit) async throws -> ServerResponse {
        let (handoff, token) = (WebHandoff(visit.context), visit.query["token"] ?? "")
        if isSentByAnotherPage(visit), let person = try await handoff.person(token: token) {
            return ask(visit, person, token)
        }
        let outcome = try await handoff.enter(token: token, in: visit.signedIn)
        switch outcome {
        case .success(let entered): return visit.welcome(entered.cookie, to: entered.target)
        case .failure(let refusal):
            return visit.render(
                "message", title: visit.text("errorTitle"),
                [
                    "heading": visit.text("errorTitle"),
                    "lead": visit.text("refusal.\(refusal.code)"),
                    "links": [["href": visit.prefix + "/", "text": visit.text("toHome")]],
                    "requestID": visit.request.facts.requestID,
                ], status: .forbidden)
        }
    }

    /// An app opens the address from outside of any page, and a click on ours comes from here. Any
    /// other page that sends somebody here could have them work in an account of its own.
    private func isSentByAnotherPage(_ visit: Visit) -> Bool {
        guard visit.signedIn == nil, let site = visit.request.headers[.secFetchSite] else {
            return false
        }
        return site != "none" && site != "same-origin"
    }

    private func ask(_ visit: Visit, _ person: Person, _ token: String) -> ServerResponse {
        let values = ["name": person.claims.name ?? person.username]
        let address = visit.prefix + "/handoff?token=" + token
        return visit.render(
            "message", title: visit.text("handoffAskTitle", values),
            [
                "heading": visit.text("handoffAskTitle", values),
                "lead": visit.text("handoffAskLead"),
                "links": [
                    ["href": address, "text": visit.text("handoffAskGo", values)],
                    ["href": visit.prefix + "/", "text": visit.text("toHome")],
                ],
            ])
    }
}
