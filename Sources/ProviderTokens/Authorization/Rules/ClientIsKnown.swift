// SPDX-License-Identifier: Apache-2.0
import OAuth
import ProviderCore
import Storage

/// `client_id` names a client of this project that is not disabled (RFC 6749 section 4.1.1).
struct ClientIsKnown: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let clientID = draft[.clientID] else {
            return .invalidRequest("client_id is missing.")
        }
        guard
            let client = try await context.provider.knownClient(clientID, of: context.tenant),
            !client.client.disabled
        else {
            return Refusal(
                ErrorCode.invalidClient, "This application is not registered here.",
                reason: "unknown or disabled client")
        }
        draft.client = client
        return nil
    }
}
