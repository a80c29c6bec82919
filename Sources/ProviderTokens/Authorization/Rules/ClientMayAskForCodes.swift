// SPDX-License-Identifier: Apache-2.0
import OAuth
import ProviderCore
import Storage

/// The client is registered for the authorization code grant (RFC 7591 section 2).
struct ClientMayAskForCodes: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let client = draft.client, client.may("authorization_code"),
            client.client.metadata.responseTypes.contains("code")
        else {
            return Refusal(
                ErrorCode.unauthorizedClient,
                "The client is not registered for the authorization code grant.",
                reason: "grant or response type not registered")
        }
        return nil
    }
}
