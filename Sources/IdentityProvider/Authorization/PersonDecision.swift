// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import Storage

/// What is still missing from the person before a valid request may be answered. Pure: the facts
/// come in, the verdict goes out.
struct PersonDecision: Sendable {
    let request: AuthorizationRequest
    let signedIn: SignedIn?
    /// What the person has done for this request already; `nil` when it has just come in.
    let pending: PendingAuthorization?
    /// What the person allowed this client earlier; `nil` when they were never asked.
    let consented: ScopeSet?
    let now: Timestamp

    enum Verdict: Sendable, Equatable {
        case satisfied
        case needs(Interaction.Need)
        /// The answer when the client allows no question (`prompt=none`).
        case refuse(code: String)
    }

    var verdict: Verdict {
        guard let need else { return .satisfied }
        return request.prompt.contains(.none) ? .refuse(code: Self.code(of: need)) : .needs(need)
    }

    private var need: Interaction.Need? {
        guard let signedIn else { return signIn(.signedOut) }
        if let subject = request.hintedSubject, subject != signedIn.person.id.description {
            return signIn(.otherAccount)
        }
        // Choosing an account is signing in with it.
        if request.prompt.contains(.selectAccount), !signedInForThis(signedIn) {
            return .selectAccount
        }
        if mustSignInAgain(signedIn) { return signIn(.again) }
        return mustConsent(signedIn) ? .consent(scope: request.scope) : nil
    }

    private func signIn(_ reason: Interaction.SignInReason) -> Interaction.Need {
        .signIn(loginHint: request.loginHint, reason: reason)
    }

    /// Signed in after this request came in.
    private func signedInForThis(_ signedIn: SignedIn) -> Bool {
        guard let pending else { return false }
        return signedIn.session.authenticatedAt >= pending.startedAt
    }

    private func mustSignInAgain(_ signedIn: SignedIn) -> Bool {
        if signedInForThis(signedIn) { return false }
        if request.prompt.contains(.login) { return true }
        guard let maxAge = request.maxAge else { return false }
        return now - signedIn.session.authenticatedAt > .seconds(maxAge)
    }

    private func mustConsent(_ signedIn: SignedIn) -> Bool {
        if pending?.consentedBy == signedIn.person.id { return false }
        if request.prompt.contains(.consent) { return true }
        if request.client.client.metadata.firstParty { return false }
        return consented.map { !request.scope.isSubset(of: $0) } ?? true
    }

    /// OpenID Connect Core section 3.1.2.6.
    private static func code(of need: Interaction.Need) -> String {
        switch need {
        case .signIn: ErrorCode.loginRequired
        case .consent: ErrorCode.consentRequired
        case .selectAccount: ErrorCode.accountSelectionRequired
        }
    }
}
