// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import OAuth
import ProviderCore
import ProviderInstallations
import Storage

/// The hand-off page, which an app opens to sign its person in to the browser. The URL works once
/// and leads to one registered target. It appears in no `Referer` header, because every response
/// has `no-referrer`.
///
/// An attacker can send their own hand-off URL to a victim, who would then work in the attacker's
/// account. Therefore a browser without a session displays whose account it is, and signs in only
/// after the person confirms that the account is theirs.
struct HandoffPages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            pages.page("/handoff") { try await arrive($0) },
            pages.form("/handoff") { try await answer($0, $1) },
        ]
    }

    private func arrive(_ visit: PageContext) async throws -> ServerResponse {
        let arrival = try await WebHandoffService(visit.context).arrive(
            token: visit.query["token"] ?? "", in: visit.signedIn, visit.browserSecret)
        return switch arrival {
        case .success(.entered(let entered)): visit.welcome(entered.cookie, to: entered.target)
        case .success(.question(let question)): ask(visit, question)
        case .failure(let refusal): refused(visit, refusal)
        }
    }

    /// Only the value of the button signs in; an empty form declines.
    private func answer(_ visit: PageContext, _ form: FormParameters) async throws -> ServerResponse
    {
        let outcome = try await WebHandoffService(visit.context).answer(
            form["handoff"] ?? "", isTheirs: form["decision"] == "mine", in: visit.signedIn,
            visit.browserSecret)
        return switch outcome {
        case .success(let entered): visit.welcome(entered.cookie, to: entered.target)
        case .failure(let refusal): refused(visit, refusal)
        }
    }

    private func refused(_ visit: PageContext, _ refusal: Refusal) -> ServerResponse {
        visit.render(
            "message", title: visit.text("errorTitle"),
            [
                "heading": visit.text("errorTitle"),
                "lead": visit.text("refusal.\(refusal.code)"),
                "links": [["href": visit.prefix + "/", "text": visit.text("toHome")]],
                "requestID": visit.request.facts.requestID,
            ], status: .forbidden, here: "/")
    }

    private func ask(
        _ visit: PageContext, _ question: WebHandoffService.AccountConfirmation
    ) -> ServerResponse {
        let (person, client) = (question.person, question.client)
        let name = person.claims.name ?? person.username
        let values = [
            "name": name, "client": client.metadata.clientName ?? client.clientID,
            "place": RedirectURI(question.target)?.host ?? "",
        ]
        return visit.render(
            "handoff", title: visit.text("handoffAskTitle", values),
            [
                "heading": visit.text("handoffAskTitle", values), "name": name,
                "initial": PageContext.initial(of: person), "username": person.username,
                "lead": visit.text("handoffAskLead", values),
                "warning": visit.text("handoffAskWarning", values),
                "mine": visit.text("handoffAskMine", values), "handoff": question.secret,
            ], here: "/", formOrigin: RedirectURI(question.target)?.origin)
    }
}
