// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import ProviderCore
import ProviderPeople

/// The pages for recovery with a code by mail or a recovery code.
struct RecoveryPages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            pages.page("/recover") { start($0) },
            pages.form("/recover") { try await send($0, $1) },
            pages.form("/recover/code") { try await receiveMailCode($0, $1) },
            pages.form("/recover/recovery-code") { try await receiveRecoveryCode($0, $1) },
        ]
    }

    private func start(
        _ visit: PageContext, username: String = "", refusal: Refusal? = nil
    ) -> ServerResponse {
        visit.render(
            "recover", title: visit.text("recoverTitle"),
            ["username": username, "mayMail": pages.provider.mail != nil],
            refusal: refusal, here: "/recover")
    }

    private func send(_ visit: PageContext, _ form: FormParameters) async throws -> ServerResponse {
        let username = form["username"] ?? ""
        switch try await AccountRecovery(visit.context).begin(for: username) {
        case .failure(let refusal): return start(visit, username: username, refusal: refusal)
        case .success(let handle): return code(visit, handle)
        }
    }

    /// The same page whether or not a mail is on its way.
    private func code(
        _ visit: PageContext, _ handle: String, refusal: Refusal? = nil
    ) -> ServerResponse {
        visit.render(
            "code", title: visit.text("codeTitle"),
            [
                "action": "/recover/code", "handle": handle, "lead": visit.text("recoverSent"),
                "again": "\(visit.prefix)/recover\(visit.carried)",
            ],
            refusal: refusal, here: "/recover")
    }

    private func receiveMailCode(
        _ visit: PageContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let handle = form["handle"] ?? ""
        let outcome = try await AccountRecovery(visit.context).finish(
            handle: handle, code: form["code"] ?? "", replacing: visit.signedIn?.session)
        switch outcome {
        case .failure(let refusal): return code(visit, handle, refusal: refusal)
        case .success(let signIn):
            return visit.welcome(
                signIn.cookie, signIn.signedIn.person,
                to: "\(visit.prefix)/recovered\(visit.carried)")
        }
    }

    private func receiveRecoveryCode(
        _ visit: PageContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        let username = form["username"] ?? ""
        let steps = RecoveryCodeSignIn(
            username: username, code: form["code"] ?? "",
            replacing: visit.signedIn?.session)
        let outcome = try await CeremonyRunner(visit.context).run(steps)
        switch outcome {
        case .failure(let refusal): return start(visit, username: username, refusal: refusal)
        case .success(let signIn):
            return visit.welcome(signIn.cookie, signIn.signedIn.person, to: visit.destination)
        }
    }
}
