// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import ProviderCore

/// Back to the authorization that waits, and the consent that it may need.
struct ContinuationPages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            pages.page("/continue") { try await resume($0) },
            pages.page("/consent") { try await resume($0) },
            pages.form("/consent") { try await decide($0, $1) },
        ]
    }

    private func resume(_ visit: PageContext) async throws -> ServerResponse {
        guard let handle = visit.continuation, let flow = pages.flow else {
            return visit.redirect("/")
        }
        return try await respond(visit, flow.resume(handle, visit.request, visit.signedIn))
    }

    private func decide(_ visit: PageContext, _ form: FormParameters) async throws -> ServerResponse
    {
        guard let handle = visit.continuation, let flow = pages.flow else {
            return visit.redirect("/")
        }
        guard let signedIn = visit.signedIn else {
            return visit.redirect("/sign-in" + visit.carried)
        }
        // Only the value of the button allows; an empty form denies.
        let allow = form["decision"] == "allow"
        return try await respond(
            visit, flow.decide(handle, allow: allow, visit.request, signedIn))
    }

    /// One step of the flow as a page or a redirect.
    func respond(
        _ visited: PageContext, _ progress: FlowProgress, signingIn: Bool = false
    ) async throws -> ServerResponse {
        let visit = visited.continuing(progress.handle)
        return switch progress.step {
        case .answer(let response): response
        case .refused(let refusal): ErrorPages(pages: pages).authorization(visit, refusal)
        case .signIn(let ask):
            try await signingIn
                ? SignInPages(pages: pages).form(visit, ask: ask)
                : visit.redirect("/sign-in" + visit.carried)
        case .chooseAccount(let ask): try await chooseAccount(visit, ask, signingIn: signingIn)
        case .consent(let ask): consent(visit, ask)
        case .stepUp(let ask):
            visit.request.path == "/step-up"
                ? StepUpPages(pages: pages).ask(visit, ask)
                : visit.redirect("/step-up" + visit.carried)
        case .secondWayIn(let ask):
            visit.request.path == "/second-way"
                ? StepUpPages(pages: pages).secondWay(visit, ask)
                : visit.redirect("/second-way" + visit.carried)
        case .otherAccount(let ask, let refusal):
            try await signingIn
                ? SignInPages(pages: pages).form(visit, ask: ask)
                : ErrorPages(pages: pages).noAccess(visit, ask, refusal)
        }
    }

    /// Displays the choice of the account. A person on the sign-in page has already chosen another
    /// one.
    private func chooseAccount(
        _ visit: PageContext, _ ask: SignInPrompt, signingIn: Bool
    ) async throws -> ServerResponse {
        if signingIn { return try await SignInPages(pages: pages).form(visit, ask: ask) }
        return visit.request.path == "/choose-account"
            ? AccountChoicePages(pages: pages).ask(visit, ask)
            : visit.redirect("/choose-account" + visit.carried)
    }

    private func consent(_ visit: PageContext, _ ask: ConsentPrompt) -> ServerResponse {
        let name = ask.client.name
        let person = visit.signedIn?.person
        let values = ConsentValues(visit).values(
            ask.client, scopes: ask.scopes, action: "/consent",
            heading: visit.text("consentHeading", ["client": name]),
            lead: visit.text("consentLead", ["client": name]), person: person)
        return visit.render(
            "consent", title: visit.text("consentTitle"), values, here: "/consent",
            formOrigin: ask.redirectOrigin)
    }
}
