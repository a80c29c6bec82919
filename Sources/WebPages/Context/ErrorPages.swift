// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
package import HTTPTypes
package import IdentityProvider
import Storage

/// What a person sees when something went wrong: what happened, what they can do, and the number
/// by which an operator finds it.
package struct ErrorPages: Sendable {
    let pages: Pages

    package init(pages: Pages) { self.pages = pages }

    /// For the shell: any refusal as a page.
    package func page(
        _ request: ServerRequest, _ status: HTTPResponse.Status, _ refusal: Refusal
    ) -> ServerResponse {
        let frame = PlainFrame(request, pages: pages)
        func text(_ key: String) -> String { frame.language.text(key) }
        switch status.code {
        case 404:
            return frame.message(
                heading: text("notFoundTitle"), lead: text("notFoundLead"), todo: nil,
                status: status)
        case 500...:
            return frame.message(
                heading: text("unavailableTitle"), lead: text("unavailableLead"),
                todo: text("errorTodo"), status: status)
        default:
            return frame.message(
                heading: text("errorTitle"), lead: frame.language.text(for: refusal),
                todo: text("errorTodo"), status: status)
        }
    }

    func badRequest(_ request: ServerRequest) -> ServerResponse {
        let frame = PlainFrame(request, pages: pages)
        return frame.message(
            heading: frame.language.text("errorTitle"),
            lead: frame.language.text("errorBadRequest"), todo: nil, status: .badRequest)
    }

    func forged(_ request: ServerRequest) -> ServerResponse {
        let frame = PlainFrame(request, pages: pages)
        return frame.message(
            heading: frame.language.text("errorTitle"), lead: frame.language.text("formStale"),
            todo: nil, status: .forbidden)
    }

    /// The form was given to another browser, or before the last sign-in.
    func stale(_ visit: PageContext) -> ServerResponse {
        visit.render(
            "message", title: visit.text("errorTitle"),
            [
                "heading": visit.text("errorTitle"), "lead": visit.text("formStale"),
                "links": [["href": visit.destination, "text": visit.text("next")]],
                "requestID": visit.request.facts.requestID,
            ], status: .forbidden, here: "/")
    }

    /// The authorization request cannot be gone on with, and must not be sent to its client.
    func authorization(_ visit: PageContext, _ refusal: Refusal) -> ServerResponse {
        visit.render(
            "message", title: visit.text("errorTitle"),
            [
                "heading": visit.text("errorTitle"), "lead": visit.language.text(for: refusal),
                "todo": visit.text("errorClientTodo"),
                "links": [["href": visit.prefix + "/", "text": visit.text("toHome")]],
                "requestID": visit.request.facts.requestID,
            ], status: .badRequest, here: "/")
    }

    /// Who is signed in may not use the client. Another account of theirs may: the request waits.
    func noAccess(_ visit: PageContext, _ ask: SignInPrompt, _ refusal: Refusal) -> ServerResponse {
        let heading = visit.text("noAccessTitle", ["client": ask.client.name])
        return visit.render(
            "message", title: heading,
            [
                "heading": heading, "lead": visit.language.text(for: refusal),
                "links": [
                    [
                        "href": visit.prefix + "/sign-in" + visit.carried,
                        "text": visit.text("chooseAccountOther"),
                    ],
                    [
                        "href": visit.prefix + "/", "text": visit.text("toHome"), "quiet": true,
                    ] as [String: Any],
                ],
                "requestID": ask.recordedAs ?? visit.request.facts.requestID,
            ], status: .forbidden, here: "/continue")
    }
}

/// The frame of a page without a session. It reads no session, so that it works if the store fails.
private struct PlainFrame {
    let request: ServerRequest
    let pages: Pages
    let language: Language

    init(_ request: ServerRequest, pages: Pages) {
        self.request = request
        self.pages = pages
        let cookies = SiteCookies(tenant: request.tenant, isSecure: request.isSecure)
        let kept = request.cookie(cookies.language).map { [$0] } ?? []
        language = pages.web.translations.choose(kept + request.facts.languages)
    }

    func message(
        heading: String, lead: String, todo: String?, status: HTTPResponse.Status
    ) -> ServerResponse {
        let prefix = request.tenant.pathPrefix
        let css = pages.web.assets["gatehouse.css"]?.version ?? ""
        var values: [String: Any] = [
            "lang": language.code, "t": language.texts, "prefix": prefix, "title": heading,
            "site": request.tenant.project.theme.displayName ?? "Gatehouse",
            "assets": [
                "css": "\(prefix)/assets/gatehouse.css?v=\(css)",
                "icon": "\(prefix)/assets/icon.svg",
            ],
            "heading": heading, "lead": lead, "requestID": request.facts.requestID,
            "links": [["href": prefix + "/", "text": language.text("toHome"), "quiet": true]],
        ]
        values["todo"] = todo
        values["siteLogo"] = request.tenant.project.theme.logo
        let html = pages.renderer.render("message", values) ?? ""
        var response = ServerResponse.html(html, status: status)
        response.headers[.contentSecurityPolicy] = PageContext.policy(
            formOrigin: nil, ancestors: [])
        return response
    }
}
