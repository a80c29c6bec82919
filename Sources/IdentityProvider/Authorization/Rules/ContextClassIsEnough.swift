// SPDX-License-Identifier: Apache-2.0
import OAuth

/// The client's own `required_acr`, whatever the request says: it is asked for as essential, so a
/// person with a stronger way in is asked for it, and nobody gets by without.
struct ContextClassIsEnough: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let required = draft.client?.policy.requiredClass else { return nil }
        let enough = draft.context.classes.filter { $0 >= required }
        draft.context.classes = enough.isEmpty ? [required] : enough
        draft.context.isEssential = true
        return nil
    }
}
