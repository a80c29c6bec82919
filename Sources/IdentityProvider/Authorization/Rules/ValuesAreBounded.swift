// SPDX-License-Identifier: Apache-2.0

/// Values that come back to the client do so whole, or the request is refused: nothing is cut.
struct ValuesAreBounded: AuthorizationRule {
    private static let limits = [
        "state": 4096, "nonce": 1024, "login_hint": 256, "ui_locales": 256, "acr_values": 512,
        "scope": 2048, "claims": 8192, "id_token_hint": 8192,
    ]

    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        for (name, limit) in Self.limits.sorted(by: { $0.key < $1.key })
        where (draft[name]?.utf8.count ?? 0) > limit {
            return .invalidRequest("\(name) is longer than \(limit) bytes.")
        }
        return nil
    }
}
