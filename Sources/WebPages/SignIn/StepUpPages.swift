// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import ProviderCore
import Storage

/// The step-up of a signed-in person. It requires only the missing factor.
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

    /// Declines the step-up. The form has no fields.
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

    /// Prompts for a key.
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

    /// Prompts for a second key or recovery codes before the first key may be used for apps.
    func secondWay(_ visit: PageContext, _ ask: SignInPrompt) -> ServerResponse {
        visit.render(
            "second-way", title: visit.text("secondWayTitle"),
            [
                "client": ask.client.face, "heading": visit.text("secondWayTitle"),
                "lead": visit.text("secondWayLead", ["client": ask.client.name]),
            ], here: "/second-way", formOrigin: ask.redirectOrigin)
    }
}
