// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import ProviderCore
import ProviderPeople

/// The page of a person's own account.
struct AccountPages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            pages.page("/account") { visit in
                guard let signedIn = visit.signedIn else {
                    // A person who reported the key of the current session as lost is signed out.
                    let isLost = visit.query["done"] == "lost"
                    return visit.redirect("/sign-in?next=account" + (isLost ? "&done=lost" : ""))
                }
                let hasForm = try await isInterrupted(visit)
                return try await show(
                    visit, signedIn, opening: hasForm ? "password" : nil,
                    notice: hasForm ? visit.text("passwordTypedAgain") : notice(visit))
            }
        ]
    }

    func show(
        _ visit: PageContext, _ signedIn: AuthenticatedSession, refusal: Refusal? = nil,
        typed: FormParameters? = nil, opening part: String? = nil, notice: String? = nil
    ) async throws -> ServerResponse {
        let overview = try await AccountOverview(of: signedIn, in: visit.context)
        var values = AccountValues(visit, signedIn, overview, typed: typed).values
        values["passwordOpen"] = part == "password"
        values["next"] = "account"
        values["mayOpenConsole"] = try await visit.mayOpenConsole()
        return visit.render(
            "account", title: visit.text("accountTitle"), values, refusal: refusal,
            notice: notice, here: "/account")
    }

    /// Whether new passwords were sent before the sign-in. They are not stored: the page asks for
    /// them once more.
    private func isInterrupted(_ visit: PageContext) async throws -> Bool {
        guard visit.query[InterruptedForm.mark] == "1" else { return false }
        return try await InterruptedForm.find(visit)?.action == visit.prefix + "/account/password"
    }

    /// After a change: a word from a fixed list, never text from the address.
    private func notice(_ visit: PageContext) -> String? {
        let keys = [
            "renamed": "doneRenamed", "password": "donePasswordSet",
            "removed": "doneCredentialRemoved", "passkey": "donePasskeyAdded",
            "session": "doneSessionEnded", "sessions": "doneSessionsEnded",
            "linked": "doneProviderLinked", "lost": "doneKeyLost", "withdrawn": "doneWithdrawn",
            "email": "doneEmailVerified", "machine": "doneMachineRemoved",
        ]
        return visit.query["done"].flatMap { keys[$0] }.map { visit.text($0) }
    }
}
