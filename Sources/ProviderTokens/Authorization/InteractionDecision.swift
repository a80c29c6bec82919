// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import ProviderCore
import ProviderPeople
import Storage

/// Decides what the person must do before a valid request can be responded to. It is a pure
/// function of its properties.
struct InteractionDecision: Sendable {
    let request: AuthorizationRequest
    let signedIn: AuthenticatedSession?
    /// The earlier interactions for this request; `nil` for a new request.
    let pending: PendingAuthorization?
    /// The person's keys; `nil` if they are not relevant.
    let keys: PersonalKeys?
    /// The scopes that the person has allowed for this client; `nil` without a consent.
    let consented: ScopeSet?
    let now: Timestamp

    enum Verdict: Sendable, Equatable {
        /// The authentication statement, from the factors that count for this request.
        case satisfied(AuthenticationClaim)
        case needs(Interaction.Need)
        /// No interaction would help, or the client does not allow one.
        case refuse(Refusal)

        /// Whether the person would be asked for a sign-in or an account.
        var leavesPersonOpen: Bool {
            switch self {
            case .needs(.signIn), .needs(.selectAccount): true
            case .refuse(let refusal): refusal.code == ErrorCode.loginRequired
            case .needs, .satisfied: false
            }
        }
    }

    var verdict: Verdict {
        guard let signedIn else { return ask(signIn(.signedOut)) }
        if let subject = request.hintedSubject, subject != signedIn.person.id.description {
            return ask(signIn(.otherAccount))
        }
        if let subjects = request.subjects, !subjects.contains(signedIn.person.id.description) {
            return ask(signIn(.otherAccount))
        }
        if request.prompt.contains(.selectAccount), !hasChosen(signedIn) {
            return ask(.selectAccount)
        }
        let standing = AuthenticationAssurance(signedIn.session, since: horizon)
        if let missing = missing(from: standing, of: signedIn) { return missing }
        guard let claim = standing.claim(request.context.classes) else {
            return ask(signIn(.again))
        }
        if restsOnKeys(standing), keys?.isEnough == false { return ask(.secondWayIn) }
        if mustConsent(signedIn) { return ask(.consent(scope: request.consentScope)) }
        return .satisfied(claim)
    }

    // MARK: Authentication

    /// Older factors do not count: `prompt=login` requires a factor for this request, `max_age` one
    /// that is new enough or for this request.
    private var horizon: Timestamp? {
        let begun = pending?.startedAt
        if request.prompt.contains(.login) { return begun ?? Timestamp(milliseconds: .max) }
        guard let maxAge = request.maxAge else { return nil }
        let oldest = now - .seconds(maxAge)
        return begun.map { min($0, oldest) } ?? oldest
    }

    /// The step that is missing for the requested classes, or `nil`.
    private func missing(
        from standing: AuthenticationAssurance, of signedIn: AuthenticatedSession
    ) -> Verdict? {
        let wanted = request.context.classes
        if wanted.isEmpty || wanted.contains(where: standing.meets) { return nil }
        let isEssential = request.context.isEssential
        let hasRefused = pending?.wentOnWithoutKey == signedIn.person.id
        if let target = wanted.first(where: isReachable) {
            if !hasRefused, isEssential || !request.prompt.contains(.none) {
                return ask(.stepUp(to: target, isEssential: isEssential))
            }
        } else if wanted.contains(.password) {
            return ask(signIn(.again))
        }
        return isEssential ? .refuse(.unmetContext("no key that reaches the class")) : nil
    }

    private func isReachable(_ wanted: ContextClass) -> Bool {
        wanted > .password && (keys?.highest.map { $0 >= wanted } ?? false)
    }

    private func restsOnKeys(_ standing: AuthenticationAssurance) -> Bool {
        standing.factors.contains(where: \.isKey)
    }

    /// Whether the person has chosen an account, with a sign-in or with a confirmation of the
    /// current one.
    private func hasChosen(_ signedIn: AuthenticatedSession) -> Bool {
        signedInForThis(signedIn) || pending?.chosenBy == signedIn.person.id
    }

    /// Whether the person has signed in after the start of this request.
    private func signedInForThis(_ signedIn: AuthenticatedSession) -> Bool {
        guard let pending else { return false }
        return signedIn.session.authenticatedAt >= pending.startedAt
    }

    // MARK: Prompts

    private func signIn(_ reason: Interaction.SignInReason) -> Interaction.Need {
        .signIn(loginHint: request.loginHint, reason: reason)
    }

    private func mustConsent(_ signedIn: AuthenticatedSession) -> Bool {
        if pending?.consentedBy == signedIn.person.id { return false }
        if request.prompt.contains(.consent) { return true }
        if request.client.client.metadata.firstParty { return false }
        return consented.map { !request.consentScope.isSubset(of: $0) } ?? true
    }

    private func ask(_ need: Interaction.Need) -> Verdict {
        guard request.prompt.contains(.none) else { return .needs(need) }
        return .refuse(
            Refusal(
                Self.code(of: need), "The person would have to be asked.", reason: "prompt=none"))
    }

    /// The error code for `prompt=none` (OpenID Connect Core section 3.1.2.6).
    private static func code(of need: Interaction.Need) -> String {
        switch need {
        case .signIn, .stepUp: ErrorCode.loginRequired
        case .consent: ErrorCode.consentRequired
        case .selectAccount: ErrorCode.accountSelectionRequired
        case .secondWayIn, .otherAccount: ErrorCode.interactionRequired
        }
    }
}
