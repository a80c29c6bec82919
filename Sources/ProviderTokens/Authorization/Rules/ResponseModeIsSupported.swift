// SPDX-License-Identifier: Apache-2.0
import OAuth
import ProviderCore

/// `response_mode` is query, fragment or form_post. This is the first rule whose refusal goes to
/// the client, because it determines how.
struct ResponseModeIsSupported: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let name = draft[.responseMode] else { return nil }
        guard let mode = ResponseMode(rawValue: name) else {
            return .invalidRequest("response_mode must be query, fragment or form_post.")
        }
        if mode == .formPost, draft.redirectURI?.host == nil {
            return .invalidRequest("response_mode form_post needs a web address.")
        }
        draft.mode = mode
        return nil
    }
}
