// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import ProviderCore

/// `claims` (OpenID Connect Core section 5.5): individual claims for the ID token and for userinfo.
/// A client may request the claims of its scopes; other and unknown claims are ignored. `sub` with
/// a value restricts the person, like `id_token_hint`.
struct ClaimsParameterIsReadable: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let text = draft[.claims] else { return nil }
        guard let asked = ClaimsRequest(text) else {
            return .invalidRequest("claims must be an object as OpenID Connect Core 5.5 has it.")
        }
        draft.claims = asked.allowed(by: draft.client?.scope ?? ScopeSet())
        for member in asked.idToken + asked.userInfo where member.name == "sub" {
            guard let values = member.values else { continue }
            let subjects = Set(values.compactMap(\.string))
            draft.subjects = draft.subjects.map { $0.intersection(subjects) } ?? subjects
        }
        return nil
    }
}
