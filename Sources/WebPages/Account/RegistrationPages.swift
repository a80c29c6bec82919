// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import Primitives
import ProviderCore
import ProviderPeople
import Storage

/// New accounts, and the passkey that is offered after a password.
struct RegistrationPages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            pages.page("/register") { visit in
                visit.signedIn == nil
                    ? try await form(visit, SignUpForm(username: ""))
                    : .redirect(to: visit.destination)
            },
            pages.form("/register") { try await receive($0, $1) },
            pages.page("/setup") { try await setUp($0) },
            pages.page("/register/passkey") { try await offer($0) },
            pages.page("/account/passkey") { addToAccount($0) },
            pages.page("/recovered") { recovered($0) },
        ]
    }

    private func receive(
        _ visit: PageContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let setUp = form["setup"].flatMap { $0.isEmpty ? nil : $0 }
        let application = SignUpForm(
            username: form["username"] ?? "", name: form["name"] ?? "",
            email: form["email"] ?? "", setUpToken: setUp, ticket: form["registration"])
        let password = Secret(form["password"] ?? "")
        let carried = demandsKey(visit, application) ? "?next=console" : visit.carried
        let next = "\(visit.prefix)/register/passkey\(carried)"
        if try await application.wasAccepted(in: visit.context) {
            // The form was accepted before, but its response was lost. The password identifies the
            // person.
            let steps = PasswordSignIn(
                username: application.username, password: password,
                replacing: visit.signedIn?.session)
            let outcome = try await CeremonyRunner(visit.context).run(steps)
            switch outcome {
            case .failure(let refusal):
                return try await self.form(visit, application, refusal: refusal)
            case .success(let signIn):
                return visit.welcome(signIn.cookie, signIn.signedIn.person, to: next)
            }
        }
        let steps = PasswordRegistration(application: application, password: password)
        switch try await CeremonyRunner(visit.context).run(steps) {
        case .failure(let refusal):
            return try await self.form(visit, application, refusal: refusal)
        case .success(let binding):
            let (_, cookie) = try await SessionService(provider: pages.provider).start(
                person: binding.person, factor: binding.factor, tenant: visit.tenant,
                facts: visit.request.facts, replacing: visit.signedIn?.session)
            return visit.welcome(cookie, binding.person, to: next)
        }
    }

    private func setUp(_ visit: PageContext) async throws -> ServerResponse {
        let token = visit.query["token"] ?? ""
        let link = SetUpLink(
            pages.provider, project: visit.tenant.project.id, now: visit.now)
        guard try await link.isActive(token) else {
            return visit.render(
                "message", title: visit.text("errorTitle"),
                [
                    "heading": visit.text("errorTitle"),
                    "lead": visit.text("refusal.set_up_link_invalid"),
                    "links": [["href": visit.prefix + "/", "text": visit.text("toHome")]],
                    "requestID": visit.request.facts.requestID,
                ], status: .notFound)
        }
        return try await form(visit, SignUpForm(username: "", setUpToken: token))
    }

    private func form(
        _ visit: PageContext, _ application: SignUpForm, refusal: Refusal? = nil
    ) async throws -> ServerResponse {
        let isSetUp = application.setUpToken != nil
        let isClosed = !isSetUp && !visit.tenant.project.policy.selfRegistration
        let closed = UserFacingRefusal.registrationClosed.refusal(because: "policy")
        let page = isSetUp ? "setUp" : isClosed ? "registerClosed" : "register"
        let title = visit.text(page + "Title", ["site": visit.site])
        var values: [String: Any] = [
            "username": application.username, "name": application.name,
            "email": application.email, "closed": isClosed, "heading": title,
            "lead": visit.text(page + "Lead", ["site": visit.site]),
        ]
        if demandsKey(visit, application) { values["keyNote"] = visit.text("setUpKeyLead") }
        values["setUp"] = application.setUpToken
        values["registration"] = try await RegistrationTicket.ticket(
            for: application, in: visit.context)
        // An owner has a local account, without an upstream provider.
        let providers =
            isSetUp
            ? []
            : try await UpstreamPages(pages: pages).buttons(visit, isAgain: false, isNew: true)
        if !providers.isEmpty { values["providers"] = ["items": providers] }
        let refusal = isClosed ? nil : refusal
        values["passwordRefused"] = refusal?.code.hasPrefix("password_") ?? false
        return visit.render(
            "register", title: title, values,
            status: isClosed ? SignInPages.status(of: closed) : .ok, refusal: refusal,
            here: isSetUp ? "/setup" : "/register")
    }

    /// Whether the set-up link creates an administrator who needs a key for the console.
    private func demandsKey(_ visit: PageContext, _ application: SignUpForm) -> Bool {
        application.setUpToken != nil && visit.tenant.project.administratorsNeedKey
    }

    /// A passkey for a person who has just registered with a password. An administrator is told if the
    /// console demands it.
    private func offer(_ visit: PageContext) async throws -> ServerResponse {
        guard visit.signedIn != nil else { return visit.redirect("/sign-in" + visit.carried) }
        let isAdministrator = try await visit.mayOpenConsole()
        let isNeeded = isAdministrator && visit.tenant.project.administratorsNeedKey
        return visit.render(
            "add-passkey", title: visit.text("addPasskeyTitle"),
            [
                "heading": visit.text(isNeeded ? "addPasskeyNeeded" : "addPasskeyOffer"),
                "lead": visit.text(isNeeded ? "addPasskeyNeededLead" : "addPasskeyLead"),
                "skip": isNeeded ? visit.prefix + "/account" : visit.destination,
            ])
    }

    /// A further passkey: reached after signing in once more, so the script can go on at once.
    private func addToAccount(_ visit: PageContext) -> ServerResponse {
        guard let signedIn = visit.signedIn, signedIn.isFresh(at: visit.now) else {
            return visit.redirect("/sign-in?next=passkey&again=1")
        }
        return visit.render(
            "add-passkey", title: visit.text("addPasskeyTitle"),
            [
                "heading": visit.text("addPasskeyTitle"), "lead": visit.text("addPasskeyLead"),
                "skip": visit.prefix + "/account", "next": "account",
            ])
    }

    /// The page after a recovery, which offers to register a credential.
    private func recovered(_ visit: PageContext) -> ServerResponse {
        guard visit.signedIn != nil else { return visit.redirect("/sign-in") }
        return visit.render(
            "add-passkey", title: visit.text("recoveredTitle"),
            [
                "heading": visit.text("recoveredTitle"), "lead": visit.text("recoveredLead"),
                "offerPassword": true, "skip": visit.destination,
            ])
    }
}
