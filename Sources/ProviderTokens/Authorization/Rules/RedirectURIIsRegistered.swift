// SPDX-License-Identifier: Apache-2.0
import OAuth
import ProviderCore

/// `redirect_uri` equals a registered one byte by byte (RFC 9700 section 2.1), except for a
/// loopback port (RFC 8252 section 7.3). It may be omitted if only one is registered.
struct RedirectURIIsRegistered: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        let registered = draft.client?.redirectURIs ?? []
        if let requested = draft[.redirectURI] {
            draft.redirectURI = RedirectURI.match(requested, among: registered)
        } else if registered.count == 1 {
            draft.redirectURI = registered.first
        }
        guard draft.redirectURI == nil else { return nil }
        return .invalidRequest(
            "The redirect address of this request is not registered for the application.")
    }
}
