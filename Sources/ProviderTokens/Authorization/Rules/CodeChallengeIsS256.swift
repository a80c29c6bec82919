// SPDX-License-Identifier: Apache-2.0
import OAuth
import ProviderCore

/// PKCE (RFC 7636) with S256, which public clients must use (RFC 9700 section 2.1.1). `plain` is
/// refused, also as the default of a missing `code_challenge_method`.
struct CodeChallengeIsS256: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        let sent = draft.parameters[.codeChallenge]
        let method = draft.parameters[.codeChallengeMethod]
        guard let sent else {
            if method != nil { return .invalidRequest("code_challenge is missing.") }
            return draft.client?.isPublic == true
                ? .invalidRequest("A public client must send code_challenge.") : nil
        }
        guard method == "S256" else {
            return .invalidRequest("code_challenge_method must be S256.")
        }
        guard let challenge = CodeChallenge(sent) else {
            return .invalidRequest("code_challenge must be the base64url of a SHA-256 hash.")
        }
        draft.codeChallenge = challenge
        return nil
    }
}
