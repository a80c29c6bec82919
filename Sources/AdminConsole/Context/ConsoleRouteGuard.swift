// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import HTTPTypes
import Primitives
import ProviderAdministration
import ProviderCore
import Storage
import WebPages

/// Guards every page of the console: it requires a session of sufficient assurance, a role in the
/// project, and a role that permits the action.
struct ConsoleRouteGuard: Sendable {
    let pages: Pages
    private let api: AdminAPI

    /// The path prefix of the pages of a project.
    static let project = "/console/projects/{project}"

    init(_ pages: Pages, _ api: AdminAPI) {
        self.pages = pages
        self.api = api
    }

    /// Actions whose forms are sent again automatically after a sign-in. They remove nothing and do
    /// not change who has access to the console or to a client.
    private static let harmless: Set<ConsoleAction> = [
        .giveEntitlements, .changeEntitlementSets, .askApprovals,
    ]

    typealias Show = @Sendable (ConsoleContext) async throws -> ServerResponse
    typealias Take = @Sendable (ConsoleContext, FormParameters) async throws -> ServerResponse

    /// Returns the route of a page.
    func page(_ pattern: String, _ action: ConsoleAction, _ show: @escaping Show) -> HTTPRoute {
        pages.page(pattern) { visit in
            try await enter(visit, action, from: visit.request.path) { try await show($0) }
        }
    }

    /// Returns the route of a form.
    ///
    /// - Parameters:
    ///   - isGrave: Whether the action is irreversible or grants access, and therefore requires a
    ///     sign-in within the last minutes.
    ///   - hasPage: Whether a page with this form has the same path. Otherwise the page is one path
    ///     segment above. After a sign-in the browser returns to that page.
    ///   - bodyLimit: The maximum size in bytes.
    func form(
        _ pattern: String, _ action: ConsoleAction, isGrave: Bool = false, hasPage: Bool = false,
        bodyLimit: Int = HTTPRoute.usualBodyLimit, _ take: @escaping Take
    ) -> HTTPRoute {
        pages.form(pattern, bodyLimit: bodyLimit) { visit, form in
            let path = visit.request.path
            let above = path.split(separator: "/").dropLast().joined(separator: "/")
            let place = hasPage ? path : "/" + above
            return try await enter(visit, action, isGrave: isGrave, from: place, typed: form) {
                try await take($0, form)
            }
        }
    }

    private func enter(
        _ visit: PageContext, _ action: ConsoleAction?, isGrave: Bool = false, from place: String,
        typed: FormParameters? = nil, _ show: Show
    ) async throws -> ServerResponse {
        guard visit.tenant.project.name == AdministratorRoles.homeProject else {
            return notFound(visit)
        }
        let needsKey = visit.tenant.project.administratorsNeedKey
        guard let signedIn = visit.signedIn else {
            return signIn(visit, from: place, withKey: needsKey)
        }
        let admission = ConsoleAdmission(
            pages.provider, signedIn, home: visit.tenant.project, facts: visit.request.facts)
        guard let authority = try await admission.principal() else {
            await admission.countRefusal(.notAdministrator)
            return forbidden(visit)
        }
        let access = try await admission.access()
        guard access == .enough, !isGrave || signedIn.isFresh(at: visit.now) else {
            if let typed {
                try await SubmittedForm.store(
                    typed, visit, by: signedIn, from: place,
                    isHarmless: !isGrave && action.map(Self.harmless.contains) ?? false)
            }
            return try await turnBack(
                visit, admission, access, from: place, to: typed == nil ? .console : .resume)
        }
        guard var console = try await console(visit, authority) else { return notFound(visit) }
        guard action.map(console.may) ?? true else {
            await console.admission.countRefusal(.notAllowed, in: console.tenant?.project.id)
            return forbidden(visit)
        }
        console.removed = try await ConsoleRestore.pending(console)
        if typed == nil, visit.query[InterruptedForm.mark] == "1" {
            console.typed = try await InterruptedForm.find(visit).map(SubmittedForm.init)
        }
        // A sent form replaces the interrupted one.
        if typed != nil { _ = try await InterruptedForm.consume(visit) }
        return try await show(console)
    }

    /// Returns the context with its project, or `nil` if the project does not exist or the
    /// administrator has no right to see it.
    private func console(
        _ visit: PageContext, _ authority: ConsolePrincipal
    ) async throws -> ConsoleContext? {
        var tenant: Tenant?
        if let name = visit.request.parameters["project"] {
            tenant = try await pages.provider.tenant(named: name)
            guard let tenant, authority.knows(tenant.project.id) else { return nil }
        }
        return ConsoleContext(
            visit: visit, authority: authority, tenant: tenant, api: api)
    }

    /// The start page, for every person with a role.
    func hall(_ show: @escaping Show) -> HTTPRoute {
        pages.page("/console") { visit in
            try await enter(visit, nil, from: "/console") { console in
                let place = ConsoleReturnPath(visit)
                let typed = try await InterruptedForm.find(visit).map(SubmittedForm.init)
                guard let path = place.path else {
                    var console = console
                    if let typed, typed.isOf(console.path("create")) {
                        console.typed = typed
                        _ = try await InterruptedForm.consume(visit)
                    }
                    return try await show(console)
                }
                var response = visit.redirect(
                    path + (typed == nil ? "" : "?\(InterruptedForm.mark)=1"))
                place.forget(in: &response)
                return response
            }
        }
    }

    private func signIn(
        _ visit: PageContext, from place: String, to next: PostSignInPage = .console,
        again: Bool = false,
        withKey: Bool = false
    ) -> ServerResponse {
        let words = (again ? "&again=1" : "") + (withKey ? "&key=1" : "")
        var response = visit.redirect("/sign-in?next=\(next.rawValue)" + words)
        ConsoleReturnPath(visit).save(place, in: &response)
        return response
    }

    /// A person with a role whose factors are not enough.
    private func turnBack(
        _ visit: PageContext, _ admission: ConsoleAdmission, _ access: ConsoleAccess,
        from place: String,
        to next: PostSignInPage
    ) async throws -> ServerResponse {
        let (code, lead): (ConsoleAdmission.RefusalCode, String)
        switch access {
        case .enough, .signInAgain: return signIn(visit, from: place, to: next, again: true)
        case .keyNeeded:
            return signIn(visit, from: place, to: next, again: true, withKey: true)
        case .keyMissing: (code, lead) = (.keyMissing, "consoleKeyMissing")
        case .approvalNeeded: (code, lead) = (.approvalNeeded, "consoleApprovalNeeded")
        }
        await admission.countRefusal(code)
        var response = visit.render(
            "message", title: visit.text("consoleClosed"),
            [
                "heading": visit.text("consoleClosed"),
                "lead": visit.text(lead, ["name": visit.signedIn?.person.username ?? ""]),
                "links": [["href": visit.prefix + "/account", "text": visit.text("toAccount")]],
                "requestID": visit.request.facts.requestID,
            ], status: .forbidden, here: "/console")
        ConsoleReturnPath(visit).save(place, in: &response)
        return response
    }

    private func forbidden(_ visit: PageContext) -> ServerResponse {
        ErrorPages(pages: pages).page(
            visit.request, .forbidden,
            UserFacingRefusal.notAllowed.refusal(because: "no role allows it"))
    }

    private func notFound(_ visit: PageContext) -> ServerResponse {
        ErrorPages(pages: pages).page(
            visit.request, .notFound,
            Refusal("not_found", "There is nothing at this address.", reason: "console"))
    }
}
