// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import Primitives
import ProviderCore
import ProviderPeople
import Storage

/// Signing in with a password. Passkeys take ``PasskeyRoutes``.
struct SignInPages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            pages.page("/sign-in") { try await show($0) },
            pages.form("/sign-in") { try await receive($0, $1) },
        ]
    }

    private func show(_ visit: PageContext) async throws -> ServerResponse {
        if let handle = visit.continuation, let flow = pages.flow {
            return try await ContinuationPages(pages: pages).respond(
                visit, flow.resume(handle, visit.request, visit.signedIn), signingIn: true)
        }
        let isAgain = visit.query["again"] == "1"
        if visit.signedIn != nil, !isAgain { return visit.redirect((visit.next ?? .account).path) }
        return try await form(visit, ask: nil)
    }

    private func receive(
        _ visit: PageContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let steps = PasswordSignIn(
            username: form["username"] ?? "", password: Secret(form["password"] ?? ""),
            replacing: visit.signedIn?.session)
        let outcome = try await CeremonyRunner(visit.context).run(steps)
        switch outcome {
        case .success(let signIn):
            return visit.welcome(signIn.cookie, signIn.signedIn.person, to: visit.destination)
        case .failure(let refusal):
            let ask = try await ask(visit)
            if let ticket = refusal.ticket {
                return FirstPasswordPages(pages: pages).show(
                    visit, ticket: ticket, username: form["username"] ?? "", ask: ask)
            }
            return try await self.form(
                visit, ask: ask, username: form["username"] ?? "", refusal: refusal)
        }
    }

    /// What the authorization that waits asks for; `nil` when none waits.
    func ask(_ visit: PageContext) async throws -> SignInPrompt? {
        guard let handle = visit.continuation, let flow = pages.flow
        else { return nil }
        return switch try await flow.resume(handle, visit.request, visit.signedIn).step {
        case .signIn(let ask), .chooseAccount(let ask), .otherAccount(let ask, _): ask
        default: nil
        }
    }

    /// The page again, with why it did not work.
    func refuse(_ visit: PageContext, _ refusal: Refusal) async throws -> ServerResponse {
        try await form(visit, ask: ask(visit), refusal: refusal)
    }

    /// The page itself.
    func form(
        _ visit: PageContext, ask: SignInPrompt?, username: String? = nil, refusal: Refusal? = nil
    ) async throws -> ServerResponse {
        let isAgain = visit.signedIn != nil && ask?.isSwitching != true
        let current = isAgain ? visit.signedIn?.person.username : nil
        let name = username ?? ask?.loginHint ?? current ?? ""
        var values: [String: Any] = [
            "username": name, "known": !name.isEmpty,
            "mayRegister": visit.tenant.project.policy.selfRegistration && !isAgain,
            "heading": heading(visit, ask, isAgain: isAgain),
        ]
        let keyLead = keyLead(visit, ask)
        values["keyFirst"] = keyLead != nil
        values["lead"] = keyLead ?? (isAgain ? leadAgain(visit, ask) : nil)
        values["client"] = ask?.client.face
        let providers = try await UpstreamPages(pages: pages).buttons(visit, isAgain: isAgain)
        if !providers.isEmpty { values["providers"] = ["items": providers] }
        return visit.render(
            "sign-in", title: visit.text("signInTitle"), values, refusal: refusal,
            notice: visit.query["done"] == "lost" ? visit.text("doneKeyLostHere") : nil,
            here: "/sign-in", formOrigin: ask?.redirectOrigin, isEmbeddable: true)
    }

    /// The lead if a password is not sufficient. Then the page offers a key before the password.
    private func keyLead(_ visit: PageContext, _ ask: SignInPrompt?) -> String? {
        guard let ask else { return visit.requiresKey ? visit.text("signInKeyLead") : nil }
        let client = ["client": ask.client.name]
        return switch ask.requiredKey {
        case .none: nil
        case .key: visit.text("signInKeyLeadClient", client)
        case .hardwareKey: visit.text("signInHardwareLeadClient", client)
        }
    }

    private func leadAgain(_ visit: PageContext, _ ask: SignInPrompt?) -> String {
        if let ask { return visit.text("signInStepUp", ["client": ask.client.name]) }
        return visit.text(visit.next == .resume ? "signInResumeLead" : "signInAgainLead")
    }

    private func heading(_ visit: PageContext, _ ask: SignInPrompt?, isAgain: Bool) -> String {
        if let ask, !isAgain { return visit.text("signInTo", ["client": ask.client.name]) }
        return visit.text(isAgain ? "signInAgain" : "signInTitle")
    }

    /// 422 for what was typed, 429 for too often, 503 for too busy.
    static func status(of refusal: Refusal) -> HTTPResponse.Status {
        switch UserFacingRefusal(rawValue: refusal.code) {
        case .tooManyAttempts: .tooManyRequests
        case .busy, .mailUnavailable, .upstreamAway: .serviceUnavailable
        case .notAllowed: .forbidden
        case .passkeyOffered: .conflict
        default: .unprocessableContent
        }
    }
}
