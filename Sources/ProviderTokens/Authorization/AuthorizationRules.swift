// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import ProviderCore

/// A rule of the authorization endpoint. It validates one part of a request and saves the result in
/// the draft, or returns a refusal.
protocol AuthorizationRule: Sendable {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal?
}

/// The dependencies of the rules.
struct RuleContext: Sendable {
    let provider: Provider
    let tenant: Tenant
    let now: Timestamp
}

/// The rules in order, each with the destination of its refusal.
enum AuthorizationRules {
    enum Destination: Sendable {
        /// To the person, on a page: the redirect URI is not known to be the client's.
        case page
        /// To the client, at its registered redirect URI.
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
        (IdentityProviderIsKnown(), .client),
    ]

    enum Outcome: Sendable {
        case request(AuthorizationRequest)
        /// With the client, if it is known.
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
