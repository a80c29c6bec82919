// SPDX-License-Identifier: Apache-2.0
import JOSE

/// `claims` is a JSON object (OpenID Connect Core section 5.5). Claims come with their scopes here;
/// asking for single ones, essential or not, is allowed and changes nothing.
struct ClaimsParameterIsReadable: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let text = draft["claims"] else { return nil }
        let object = try? JSONParser.parseObject(
            Array(text.utf8), maximumBytes: 8192, maximumDepth: 8)
        guard let object,
            ["userinfo", "id_token"].allSatisfy({ object[$0] == nil || object[$0]?.object != nil })
        else { return .invalidRequest("claims must be a JSON object.") }
        return nil
    }
}
