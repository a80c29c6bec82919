// SPDX-License-Identifier: Apache-2.0
import OAuth
import ProviderCore

/// `prompt` contains only known values, and `none` only alone (OpenID Connect Core 3.1.2.1).
struct PromptIsKnown: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let prompt = Prompt.parse(draft[.prompt] ?? "") else {
            return .invalidRequest(
                "prompt must be none alone, or any of login, consent and select_account.")
        }
        draft.prompt = prompt
        return nil
    }
}
