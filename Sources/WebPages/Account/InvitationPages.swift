// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import Primitives
import ProviderCore
import ProviderPeople
import Storage

/// The page of an invitation link: a person created by an administrator chooses a passkey or a
/// password.
struct InvitationPages: HTTPRouteGroup {
    let pages: Pages

    private static let path = "/invitation"

    func routes() -> [HTTPRoute] {
        [
            pages.page(Self.path) { try await show($0, token: $0.query["token"] ?? "") },
            pages.form(Self.path) { try await accept($0, $1) },
        ]
    }

    private func accept(_ visit: PageContext, _ form: FormParameters) async throws -> ServerResponse
    {
        let token = form["token"] ?? ""
        let steps = PasswordRegistration(
            invitation: token, password: Secret(form["password"] ?? ""))
        switch try await CeremonyRunner(visit.context).run(steps) {
        case .failure(let refusal): return try await show(visit, token: token, refusal: refusal)
        case .success(let binding):
            let (_, cookie) = try await SessionService(provider: pages.provider).start(
                person: binding.person, factor: binding.factor, tenant: visit.tenant,
                facts: visit.request.facts, replacing: visit.signedIn?.session)
            return visit.welcome(cookie, to: "\(visit.prefix)/register/passkey\(visit.carried)")
        }
    }

    private func show(
        _ visit: PageContext, token: String, refusal: Refusal? = nil
    ) async throws -> ServerResponse {
        guard let person = try await Invitation(visit.context).person(behind: token) else {
            return visit.expiredLink("refusal.invitation_invalid")
        }
        return visit.render(
            "invitation", title: visit.text("invitationTitle"),
            [
                "heading": visit.text("invitationHeading", ["site": visit.site]),
                "lead": visit.text("invitationLead", ["name": person.username]),
                "username": person.username, "reregister": token,
            ], refusal: refusal, here: Self.path)
    }
}
