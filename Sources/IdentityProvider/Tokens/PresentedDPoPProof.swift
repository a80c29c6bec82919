// SPDX-License-Identifier: Apache-2.0

/// What a request brought along to prove a key (RFC 9449), and what it must have been made for.
/// Nothing of it is checked.
package struct PresentedDPoPProof: Sendable, Equatable {
    /// Every field of that name: more than one is one too many.
    package let fields: [String]
    package let method: String
    /// The address that was asked, without query.
    package let address: String

    package init(fields: [String], method: String, address: String) {
        self.fields = fields
        self.method = method
        self.address = address
    }
}

/// An access token as a request shows it.
package struct PresentedAccessToken: Sendable, Equatable {
    package enum Scheme: Sendable {
        /// RFC 6750: whoever has it.
        case bearer
        /// RFC 9449 section 7.1: with a proof of the key that it is bound to.
        case dpop
    }

    package let text: String
    package let scheme: Scheme

    package init(_ text: String, _ scheme: Scheme) {
        self.text = text
        self.scheme = scheme
    }

    /// Reads the value of `Authorization` (RFC 6750 section 2.1, RFC 9449 section 7.1). `nil` if it
    /// is absent, too long or of another scheme.
    package init?(authorization: String?, maximumBytes: Int = 16_384) {
        guard let authorization, authorization.utf8.count <= maximumBytes else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0].lowercased() {
        case "bearer": self.init(String(parts[1]), .bearer)
        case "dpop": self.init(String(parts[1]), .dpop)
        default: return nil
        }
    }

    /// Reads a bearer token only. `nil` for a token that is bound to a key as well.
    package static func bearer(
        authorization: String?, maximumBytes: Int = 16_384
    ) -> String? {
        let token = PresentedAccessToken(authorization: authorization, maximumBytes: maximumBytes)
        guard let token, token.scheme == .bearer else { return nil }
        return token.text
    }
}
