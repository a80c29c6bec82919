// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import ProviderCore
import ProviderPeople
import Storage

/// The page of a recovery link, with which a person registers a new key.
struct ReRegistrationPages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [pages.page("/reregister") { try await show($0) }]
    }

    private func show(_ visit: PageContext) async throws -> ServerResponse {
        let token = visit.query["token"] ?? ""
        guard let person = try await ReRegistration(visit.context).person(behind: token) else {
            return visit.expiredLink("refusal.re_registration_invalid")
        }
        return visit.render(
            "reregister", title: visit.text("reRegisterTitle"),
            [
                "heading": visit.text("reRegisterTitle"),
                "lead": visit.text("reRegisterLead", ["name": person.username]),
                "reregister": token,
            ], here: "/reregister")
    }
}

extension PageContext {
    /// The page for a link that works no longer.
    func expiredLink(_ lead: String) -> ServerResponse {
        render(
            "message", title: text("errorTitle"),
            [
                "heading": text("errorTitle"), "lead": text(lead),
                "links": [["href": prefix + "/", "text": text("toHome")]],
                "requestID": request.facts.requestID,
            ], status: .notFound)
    }
}
