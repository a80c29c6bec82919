// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
package import HTTPTypes
package import ProviderCore

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
                heading: text(status == .forbidden ? "forbiddenTitle" : "errorTitle"),
                lead: frame.language.pageText(for: refusal), todo: text("errorTodo"),
                status: status)
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
                "heading": visit.text("errorTitle"), "lead": visit.language.pageText(for: refusal),
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
                "heading": heading, "lead": visit.language.pageText(for: refusal),
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
