// SPDX-License-Identifier: Apache-2.0
import ProviderCore

/// `id_token_hint` is an ID token of this issuer, expired or not (OpenID Connect Core section
/// 3.1.2.1).
struct IDTokenHintIsGenuine: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let text = draft[.idTokenHint] else { return nil }
        let hint = try await IDTokenHint.read(
            text, tenant: context.tenant, provider: context.provider, now: context.now)
        guard let hint else {
            return .invalidRequest("id_token_hint is not an ID token of this provider.")
        }
        draft.hintedSubject = hint.subject
        return nil
    }
}
