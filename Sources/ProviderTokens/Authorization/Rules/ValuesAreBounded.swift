// SPDX-License-Identifier: Apache-2.0
import ProviderCore

/// Limits the length of values. A request with a longer value is refused, because values must
/// return to the client unchanged. All parameters together must fit into a handle
/// (``PendingAuthorization``).
struct ValuesAreBounded: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        for name in AuthorizationParameter.allCases {
            guard let limit = name.limit, let sent = draft[name], sent.utf8.count > limit else {
                continue
            }
            return .invalidRequest("\(name.rawValue) is longer than \(limit) bytes.")
        }
        let most = PendingAuthorization.maximumParametersLength
        guard PendingAuthorization.length(of: draft.parameters) > most else { return nil }
        return .invalidRequest(
            "The parameters are longer than \(most) bytes together; id_token_hint is not counted.")
    }
}
