// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import Storage

/// When somebody is signed in and one thing more is asked for: exactly that one, and nothing of
/// what they have shown already.
struct StepUpPages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            pages.page("/step-up") { try await resume($0) },
            pages.form("/step-up") { visit, _ in try await decline(visit) },
            pages.page("/second-way") { try await resume($0) },
        ]
    }

    private func resume(_ visit: PageContext) async throws -> ServerResponse {
        guard let handle = visit.continuation, let flow = pages.flow else {
            return visit.redirect("/")
        }
        return try await ContinuationPages(pages: pages).respond(
            visit, flow.resume(handle, visit.request, visit.signedIn))
    }

    /// Not now. The button sends nothing but its form: there is nothing to get wrong.
    private func decline(_ visit: PageContext) async throws -> ServerResponse {
        guard let handle = visit.continuation, let flow = pages.flow else {
            return visit.redirect("/")
        }
        guard let signedIn = visit.signedIn else {
            return visit.redirect("/sign-in" + visit.carried)
        }
        return try await ContinuationPages(pages: pages).respond(
            visit, flow.declineStepUp(handle, visit.request, signedIn))
    }

    /// One key, please.
    func ask(_ visit: PageContext, _ ask: StepUpPrompt) -> ServerResponse {
        let person = visit.signedIn?.person
        let client = ["client": ask.client.name]
        return visit.render(
            "step-up", title: visit.text("stepUpTitle"),
            [
                "client": ask.client.face, "heading": visit.text("stepUpTitle"),
                "lead": visit.text(
                    ask.needsHardware ? "stepUpHardwareLead" : "stepUpLead", client),
                "stepUp": ask.contextClass, "isEssential": ask.isEssential,
                "decline": ask.isEssential
                    ? visit.text("stepUpCancel", client) : visit.text("stepUpSkip"),
                "signedInAs": person.map {
                    visit.text("consentAs", ["name": $0.claims.name ?? $0.username])
                } ?? "",
            ], here: "/step-up", formOrigin: ask.redirectOrigin)
    }

    /// A second key, or codes for the drawer, before the first key lets into apps.
    func secondWay(_ visit: PageContext, _ ask: SignInPrompt) -> ServerResponse {
        visit.render(
            "second-way", title: visit.text("secondWayTitle"),
            [
                "client": ask.client.face, "heading": visit.text("secondWayTitle"),
                "lead": visit.text("secondWayLead", ["client": ask.client.name]),
            ], here: "/second-way", formOrigin: ask.redirectOrigin)
    }
}
