// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore

/// `dpop_jkt` (RFC 9449 section 10): the thumbprint of the key that the code is bound to.
struct KeyThumbprintIsReadable: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let sent = draft[.keyThumbprint] else { return nil }
        guard sent.utf8.count == 43, Base64URL.decode(sent)?.count == 32 else {
            return .invalidRequest("dpop_jkt must be the base64url of a SHA-256 thumbprint.")
        }
        draft.keyThumbprint = sent
        return nil
    }
}
