// SPDX-License-Identifier: Apache-2.0

/// The unverified DPoP proof of a request (RFC 9449), with the method and URL of the request.
package struct PresentedDPoPProof: Sendable, Equatable {
    /// All `DPoP` fields. More than one is an error.
    package let fields: [String]
    package let method: String
    /// The URL of the request, without query.
    package let address: String

    package init(fields: [String], method: String, address: String) {
        self.fields = fields
        self.method = method
        self.address = address
    }
}

/// The unverified access token of a request.
package struct PresentedAccessToken: Sendable, Equatable {
    package enum Scheme: Sendable {
        /// RFC 6750: a bearer token.
        case bearer
        /// RFC 9449 section 7.1: a token with a proof of the key that it is bound to.
        case dpop
    }

    package let text: String
    package let scheme: Scheme

    package init(_ text: String, _ scheme: Scheme) {
        self.text = text
        self.scheme = scheme
    }

    /// Parses the value of `Authorization` (RFC 6750 section 2.1, RFC 9449 section 7.1). Returns
    /// `nil` if it is absent, too long or of another scheme.
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

    /// Parses a bearer token. Returns `nil` for a DPoP-bound token.
    package static func bearer(
        authorization: String?, maximumBytes: Int = 16_384
    ) -> String? {
        let token = PresentedAccessToken(authorization: authorization, maximumBytes: maximumBytes)
        guard let token, token.scheme == .bearer else { return nil }
        return token.text
    }
}
