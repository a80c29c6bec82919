// SPDX-License-Identifier: Apache-2.0
import OAuth
import ProviderCore

/// Applies the client's `required_acr`, whatever the request contains. The class is essential: the
/// person must step up to it, and a sign-in that does not reach it is refused.
struct ContextClassIsEnough: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let required = draft.client?.policy.requiredClass else { return nil }
        let enough = draft.context.classes.filter { $0 >= required }
        draft.context.classes = enough.isEmpty ? [required] : enough
        draft.context.isEssential = true
        return nil
    }
}
