// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import ProviderCore

/// `acr_values`, and `acr` in `claims` for the ID token (OpenID Connect Core sections 3.1.2.1 and
/// 5.5.1.1). An unknown essential class is refused. Unknown voluntary classes are ignored.
struct ContextClassIsOffered: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        let liked = (draft[.contextClasses] ?? "").split(separator: " ").map(String.init)
        var names = liked
        if let claim = claim(in: draft) {
            guard let asked = Asked(claim) else {
                return .invalidRequest("claims.id_token.acr must be null or an object.")
            }
            if let values = asked.values, asked.isEssential || liked.isEmpty {
                names = values
                draft.context.isEssential = asked.isEssential
            }
        }
        draft.context.classes = names.compactMap(ContextClass.init(exactly:))
        guard draft.context.isEssential, draft.context.classes.isEmpty else { return nil }
        return .unmetContext("none of the essential classes exists here")
    }

    private func claim(in draft: AuthorizationDraft) -> JSONValue? {
        // `ClaimsParameterIsReadable` has verified that it can be parsed.
        draft[.claims].flatMap {
            try? JSONParser.parseObject(Array($0.utf8), maximumBytes: 8192, maximumDepth: 8)
        }?["id_token"]?["acr"]
    }

    /// An individual claim request, section 5.5.1.
    private struct Asked {
        var isEssential = false
        var values: [String]?

        init?(_ claim: JSONValue) {
            if claim == .null { return }
            guard let members = claim.object else { return nil }
            if let essential = members["essential"] {
                guard let flag = essential.bool else { return nil }
                isEssential = flag
            }
            switch (members["value"], members["values"]) {
            case (nil, nil): values = nil
            case (let value?, nil):
                guard let text = value.string else { return nil }
                values = [text]
            case (nil, let list?):
                guard let texts = list.strings else { return nil }
                values = texts
            default: return nil
            }
        }
    }
}

extension Refusal {
    static func unmetContext(_ reason: String) -> Refusal {
        Refusal(
            ErrorCode.unmetAuthenticationRequirements,
            "The person cannot sign in here in the way that is asked for.", reason: reason)
    }
}
