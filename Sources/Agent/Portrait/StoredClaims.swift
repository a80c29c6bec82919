// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The claims of the ID token of a person's sign-in (OpenID Connect Core section 5.1). The token
/// was verified when it was received, and is stored since then.
struct StoredClaims: Sendable {
    private let claims: JSONObject?

    init(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.count == 3 ? Base64URL.decode(String(parts[1])) : nil
        claims = bytes.flatMap { try? JSONParser.parseObject($0, maximumBytes: 65_536) }
    }

    /// As a line that can be shown; `nil` where it says nothing.
    func line(_ claim: String) -> String? {
        claims?[claim]?.string.flatMap(PersonDisplayInfo.shown)
    }

    /// Where their picture is: nowhere but at an https address.
    var picture: String? {
        claims?["picture"]?.string.flatMap { $0.hasPrefix("https://") ? $0 : nil }
    }
}
