// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import Primitives
import ProviderCore
import ProviderPeople
import Storage

/// The forms with which a person changes their own account. Each responds with a redirect, so that
/// reloading the page does not repeat the change. If a form requires a new sign-in, it is resumed
/// afterwards (``InterruptedForm``).
struct AccountFormPages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            change("/account/name", done: "renamed") { visit, form, changes, _ in
                try await changes.rename(to: form["name"] ?? "").map { _ in }
            },
            account("/account/password") { try await setPassword($0, $1, $2) },
            change("/account/credentials/{id}/rename", done: "renamed") { visit, form, changes, _ in
                guard let id: Identifier<Credential> = identifier(visit) else { return gone }
                return try await changes.rename(credential: id, to: form["label"] ?? "")
                    .map { _ in }
            },
            change("/account/credentials/{id}/remove", done: "removed") { visit, _, changes, _ in
                guard let id: Identifier<Credential> = identifier(visit) else { return gone }
                return try await changes.remove(credential: id).map { _ in }
            },
            change("/account/credentials/{id}/lost", done: "lost") { visit, _, changes, _ in
                guard let id: Identifier<Credential> = identifier(visit) else { return gone }
                return try await changes.reportLost(credential: id).map { _ in }
            },
            change("/account/machines/{id}/remove", done: "machine") { visit, _, changes, _ in
                guard let id: Identifier<Device> = identifier(visit) else { return gone }
                return try await changes.remove(machine: id).map { _ in }
            },
            account("/account/recovery-codes") { try await makeCodes($0, $1, $2) },
            change("/account/sessions/{id}/end", done: "session") { visit, _, changes, _ in
                guard let id: Identifier<Session> = identifier(visit) else { return gone }
                return try await changes.end(session: id).map { _ in }
            },
            change("/account/sessions/end-others", done: "sessions") { _, _, changes, _ in
                try await changes.endOtherSessions().map { _ in }
            },
            change("/account/consents/{id}/withdraw", done: "withdrawn") { visit, _, changes, _ in
                guard let id: Identifier<Client> = identifier(visit) else { return gone }
                return try await changes.withdraw(consentFor: id).map { _ in }
            },
            account("/account/email") { try await sendCode($0, $1, $2) },
            account("/account/email/code") { try await receiveCode($0, $1, $2) },
        ]
    }

    private var gone: Result<Void, Refusal> {
        .failure(UserFacingRefusal.unknownCredential.refusal(because: "not an identifier"))
    }

    private func identifier<Record>(_ visit: PageContext) -> Identifier<Record>? {
        Identifier(visit.request.parameters["id"] ?? "")
    }

    // MARK: Frames

    private func account(
        _ pattern: String,
        _ take:
            @escaping @Sendable (PageContext, FormParameters, AuthenticatedSession) async throws ->
            ServerResponse
    ) -> HTTPRoute {
        pages.form(pattern) { visit, form in
            guard let signedIn = visit.signedIn else {
                return visit.redirect("/sign-in?next=account")
            }
            // A new form makes the interrupted one obsolete.
            _ = try await InterruptedForm.consume(visit)
            return try await take(visit, form, signedIn)
        }
    }

    private func change(
        _ pattern: String, done: String,
        _ take:
            @escaping @Sendable (PageContext, FormParameters, AccountService, AuthenticatedSession)
            async throws -> Result<
                Void, Refusal
            >
    ) -> HTTPRoute {
        account(pattern) { visit, form, signedIn in
            let changes = AccountService(visit.context, signedIn: signedIn)
            switch try await take(visit, form, changes, signedIn) {
            case .success: return visit.redirect("/account?done=\(done)")
            case .failure(let refusal): return try await refuse(visit, form, signedIn, refusal)
            }
        }
    }

    private func refuse(
        _ visit: PageContext, _ form: FormParameters, _ signedIn: AuthenticatedSession,
        _ refusal: Refusal,
        opening part: String? = nil
    ) async throws -> ServerResponse {
        if refusal.code == UserFacingRefusal.freshSignInNeeded.rawValue {
            return try await InterruptedForm.signInAgain(
                form, visit, by: signedIn, page: "/account", replay: .confirmed,
                effect: try await effect(visit, signedIn))
        }
        return try await AccountPages(pages: pages).show(
            visit, signedIn, refusal: refusal, typed: form, opening: part)
    }

    /// What a form of the account does: the text of its button, and the credential's name.
    private func effect(
        _ visit: PageContext, _ signedIn: AuthenticatedSession
    ) async throws -> String {
        let account = AccountService(visit.context, signedIn: signedIn)
        guard let credential = try await account.credential(identifier(visit)) else {
            return visit.text("codesRenew")
        }
        let key =
            switch credential.kind {
            case .password: "passwordRemove"
            case .federatedIdentity: "providerUnlink"
            case .publicKey, .signInKey, .recoveryCode: "passkeyRemove"
            }
        return [visit.text(key), credential.label].filter { !$0.isEmpty }
            .joined(separator: ": ")
    }

    // MARK: Forms with an answer of their own

    private func setPassword(
        _ visit: PageContext, _ form: FormParameters, _ signedIn: AuthenticatedSession
    ) async throws -> ServerResponse {
        let current = form["current_password"].flatMap { $0.isEmpty ? nil : Secret($0) }
        let steps = PasswordChange(
            signedIn: signedIn, current: current, new: Secret(form["password"] ?? ""))
        switch try await CeremonyRunner(visit.context).run(steps) {
        case .success: return visit.redirect("/account?done=password")
        case .failure(let refusal)
        where refusal.code == UserFacingRefusal.freshSignInNeeded.rawValue:
            // Passwords are not stored: the page asks for them once more.
            return try await InterruptedForm.signInAgain(
                FormParameters([]), visit, by: signedIn, page: "/account", replay: .onPage)
        case .failure(let refusal):
            return try await refuse(visit, form, signedIn, refusal, opening: "password")
        }
    }

    private func makeCodes(
        _ visit: PageContext, _ form: FormParameters, _ signedIn: AuthenticatedSession
    ) async throws -> ServerResponse {
        let changes = AccountService(visit.context, signedIn: signedIn)
        switch try await changes.makeRecoveryCodes() {
        case .failure(let refusal): return try await refuse(visit, form, signedIn, refusal)
        case .success(let codes):
            return visit.render(
                "codes", title: visit.text("codesTitle"),
                ["codes": codes, "done": visit.destination], here: "/account")
        }
    }

    private func sendCode(
        _ visit: PageContext, _ form: FormParameters, _ signedIn: AuthenticatedSession
    ) async throws -> ServerResponse {
        let address = form["email"] ?? ""
        let verification = EmailVerification(visit.context, signedIn: signedIn)
        switch try await verification.begin(address: address) {
        case .failure(let refusal)
        where refusal.code == UserFacingRefusal.freshSignInNeeded.rawValue:
            return try await InterruptedForm.signInAgain(
                form, visit, by: signedIn, page: "/account", replay: .byItself)
        case .failure(let refusal): return try await refuse(visit, form, signedIn, refusal)
        case .success(let handle): return codePage(visit, handle, address: address)
        }
    }

    private func receiveCode(
        _ visit: PageContext, _ form: FormParameters, _ signedIn: AuthenticatedSession
    ) async throws -> ServerResponse {
        let handle = form["handle"] ?? ""
        let verification = EmailVerification(visit.context, signedIn: signedIn)
        switch try await verification.finish(handle: handle, code: form["code"] ?? "") {
        case .success: return visit.redirect("/account?done=email")
        case .failure(let refusal):
            return codePage(visit, handle, address: form["address"], refusal: refusal)
        }
    }

    private func codePage(
        _ visit: PageContext, _ handle: String, address: String?, refusal: Refusal? = nil
    ) -> ServerResponse {
        visit.render(
            "code", title: visit.text("codeTitle"),
            [
                "action": "/account/email/code", "handle": handle,
                "address": address ?? false as Any,
                "lead": address.map { visit.text("verifySent", ["address": $0]) } ?? "",
                "again": visit.prefix + "/account",
            ],
            refusal: refusal, here: "/account")
    }
}
