// SPDX-License-Identifier: Apache-2.0
import OAuth
import ProviderCore

/// Request objects are not supported, so a request with one is refused and not processed in part
/// (OpenID Connect Core sections 3.1.2.6 and 6).
struct RequestObjectIsAbsent: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        let refused = [
            (AuthorizationParameter.request, ErrorCode.requestNotSupported),
            (.requestURI, ErrorCode.requestURINotSupported),
            (.registration, ErrorCode.registrationNotSupported),
        ]
        for (name, code) in refused where draft.parameters[name] != nil {
            return Refusal(
                code, "The parameter \(name.rawValue) is not supported.", reason: name.rawValue)
        }
        return nil
    }
}
