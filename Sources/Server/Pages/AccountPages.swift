// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import Storage

/// What somebody sees of their own account.
struct AccountPages: RouteGroup {
    let pages: Pages

    func routes() -> [Route] {
        [
            pages.page("/account") { visit in
                guard let signedIn = visit.signedIn else {
                    // Whoever has just reported the key that opened this session is out as well.
                    let isLost = visit.query["done"] == "lost"
                    return visit.redirect("/sign-in?next=account" + (isLost ? "&done=lost" : ""))
                }
                return try await show(visit, signedIn)
            }
        ]
    }

    func show(
        _ visit: Visit, _ signedIn: SignedIn, refusal: Refusal? = nil, opening part: String? = nil
    ) async throws -> ServerResponse {
        let overview = try await AccountOverview(of: signedIn, in: visit.context)
        var values = AccountValues(visit, signedIn, overview).values
        values["passwordOpen"] = part == "password"
        values["next"] = "account"
        values["mayOpenConsole"] = try await visit.mayOpenConsole()
        return visit.render(
            "account", title: visit.text("accountTitle"), values,
            status: refusal.map(SignInPages.status) ?? .ok,
            error: refusal.map { visit.language.text(for: $0) },
            notice: notice(visit), here: "/account")
    }

    /// After a change: a word from a fixed list, never text from the address.
    private func notice(_ visit: Visit) -> String? {
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
