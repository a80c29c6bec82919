// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives

/// One rule of the authorization endpoint: looks at one thing, fills in what it found, or refuses.
protocol AuthorizationRule: Sendable {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal?
}

/// What every rule may ask.
struct RuleContext: Sendable {
    let provider: Provider
    let tenant: Tenant
    let now: Timestamp
}

/// The rules, in order. Whoever adds one says where its refusal goes.
enum AuthorizationRules {
    enum Destination: Sendable {
        /// To the person, on a page: the address is not known to be the client's.
        case page
        /// To the client, at its registered address.
        case client
    }

    static let table: [(rule: any AuthorizationRule, refusalGoesTo: Destination)] = [
        (ClientIsKnown(), .page),
        (RedirectURIIsRegistered(), .page),
        (ResponseModeIsSupported(), .client),
        (RequestObjectIsAbsent(), .client),
        (ValuesAreBounded(), .client),
        (ResponseTypeIsCode(), .client),
        (ClientMayAskForCodes(), .client),
        (ScopeIsAllowed(), .client),
        (CodeChallengeIsS256(), .client),
        (KeyThumbprintIsReadable(), .client),
        (PromptIsKnown(), .client),
        (MaxAgeIsSeconds(), .client),
        (ClaimsParameterIsReadable(), .client),
        (ContextClassIsOffered(), .client),
        (ContextClassIsEnough(), .client),
        (IDTokenHintIsGenuine(), .client),
    ]

    enum Outcome: Sendable {
        case request(AuthorizationRequest)
        /// With the client, where that is known.
        case page(Refusal, RegisteredClient?)
        case client(Refusal, AuthorizationRequest)
    }

    static func apply(
        to parameters: AuthorizationParameters, hinted: String?, _ context: RuleContext
    ) async throws -> Outcome {
        var draft = AuthorizationDraft(parameters, hinted: hinted)
        for (rule, destination) in table {
            guard let refusal = try await rule.check(&draft, context) else { continue }
            guard destination == .client, let known = draft.finished else {
                return .page(refusal, draft.client)
            }
            return .client(refusal, known)
        }
        guard let request = draft.finished else {
            return .page(.invalidRequest("no client"), draft.client)
        }
        return .request(request)
    }
}

extension Refusal {
    static func invalidRequest(_ message: String) -> Refusal {
        Refusal(ErrorCode.invalidRequest, message, reason: message)
    }
}
