// SPDX-License-Identifier: Apache-2.0
import OAuth
import ProviderCore

/// `response_type` is `code`, the only type that the authorization endpoint supports (RFC 9700
/// section 2.1.2).
struct ResponseTypeIsCode: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        switch draft[.responseType] {
        case "code": nil
        case nil: .invalidRequest("response_type is missing.")
        default:
            Refusal(
                ErrorCode.unsupportedResponseType, "response_type must be code.",
                reason: "response_type")
        }
    }
}
