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
        let outcome = try await WebHandoff(visit.context).enter(
            token: visit.query["token"] ?? "", in: visit.signedIn)
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
}
