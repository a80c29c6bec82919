// SPDX-License-Identifier: Apache-2.0
import ProviderCore

/// `scope` contains only scopes that the client may have (``RequestedScope``). The token response
/// contains the granted ones.
struct ScopeIsAllowed: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let client = draft.client else { return .invalidRequest("no client") }
        let evaluated = try await RequestedScope.evaluate(
            draft[.scope], for: client, of: context.tenant, by: context.provider)
        switch evaluated {
        case .failure(let refusal): return refusal
        case .success(let requested):
            draft.scope = requested
            return nil
        }
    }
}
