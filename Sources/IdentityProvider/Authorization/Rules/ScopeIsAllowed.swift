// SPDX-License-Identifier: Apache-2.0
import OAuth

/// What of `scope` the client is registered for is granted, the rest is left out
/// (OpenID Connect Core section 3.1.2.1); the token response says what was granted.
struct ScopeIsAllowed: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let client = draft.client, let asked = ScopeSet(draft["scope"] ?? "") else {
            return invalid("scope holds letters that it may not.")
        }
        draft.scope = asked.intersection(client.scope)
        if !client.may("refresh_token") {
            draft.scope = draft.scope.subtracting(ScopeSet(["offline_access"]))
        }
        guard !draft.scope.isEmpty || asked.isEmpty else {
            return invalid("The client is registered for none of these scopes.")
        }
        return nil
    }

    private func invalid(_ message: String) -> Refusal {
        Refusal(ErrorCode.invalidScope, message, reason: message)
    }
}
