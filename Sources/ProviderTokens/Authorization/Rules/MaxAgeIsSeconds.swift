// SPDX-License-Identifier: Apache-2.0
import ProviderCore
import Storage

/// `max_age` is a number of seconds. The default is the client's registered value (OpenID Connect
/// Core section 3.1.2.1, Dynamic Client Registration section 2).
struct MaxAgeIsSeconds: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let text = draft[.maxAge] else {
            draft.maxAge = draft.client?.client.metadata.defaultMaxAge
            return nil
        }
        guard let seconds = Int64(text), seconds >= 0, seconds <= Int64(UInt32.max) else {
            return .invalidRequest("max_age must be a number of seconds.")
        }
        draft.maxAge = seconds
        return nil
    }
}
