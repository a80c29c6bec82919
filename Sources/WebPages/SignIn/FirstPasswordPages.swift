// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import Primitives
import ProviderCore
import ProviderPeople

/// Where a first password leads: the person chooses another one and is signed in, and what the sign-in
/// interrupted continues.
struct FirstPasswordPages: HTTPRouteGroup {
    let pages: Pages

    private static let path = "/first-password"

    func routes() -> [HTTPRoute] {
        [
            // The language switch and a reload lead back to the sign-in.
            pages.page(Self.path) { $0.redirect("/sign-in" + $0.carried) },
            pages.form(Self.path) { try await change($0, $1) },
        ]
    }

    private func change(_ visit: PageContext, _ form: FormParameters) async throws -> ServerResponse
    {
        let ticket = form["ticket"] ?? ""
        let steps = FirstPasswordChange(ticket: ticket, password: Secret(form["password"] ?? ""))
        switch try await CeremonyRunner(visit.context).run(steps) {
        case .failure(let refusal) where refusal.code == UserFacingRefusal.ceremonyExpired.rawValue:
            return try await SignInPages(pages: pages).refuse(visit, refusal)
        case .failure(let refusal):
            return show(
                visit, ticket: ticket, username: form["username"] ?? "",
                ask: try await SignInPages(pages: pages).ask(visit), refusal: refusal)
        case .success(let binding):
            let (_, cookie) = try await SessionService(provider: pages.provider).start(
                person: binding.person, factor: binding.factor, tenant: visit.tenant,
                facts: visit.request.facts, replacing: visit.signedIn?.session)
            return visit.welcome(cookie, binding.person, to: visit.destination)
        }
    }

    func show(
        _ visit: PageContext, ticket: String, username: String, ask: SignInPrompt?,
        refusal: Refusal? = nil
    ) -> ServerResponse {
        visit.render(
            "first-password", title: visit.text("firstPasswordTitle"),
            ["username": username, "ticket": ticket],
            refusal: refusal, here: Self.path, formOrigin: ask?.redirectOrigin,
            isEmbeddable: true)
    }
}
