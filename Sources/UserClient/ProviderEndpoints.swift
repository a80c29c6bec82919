// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The endpoints of an issuer, read from its metadata (OpenID Connect Discovery 1.0 section 4, RFC
/// 8414 section 3).
package struct ProviderEndpoints: Sendable, Equatable {
    package let issuer: String
    package let authorization: String
    package let token: String
    package let keys: String
    package let userInfo: String?
    package let revocation: String?
    package let deviceAuthorization: String?
    /// RP-Initiated Logout 1.0 section 2.1.
    package let endSession: String?
    /// RFC 9207: whether the redirect contains the issuer.
    package let namesIssuerInResponse: Bool

    /// Reads the metadata. The issuer must be identical to the requested one, and no endpoint may
    /// be less protected than the issuer.
    package init(metadata: JSONObject, issuer: String) throws(UserClientError) {
        let reader = JSONReader(metadata) { error in
            UserClientError.invalidAnswer(
                error.reason == .missing
                    ? "\(error.member) is missing" : "\(error.member) is not \(error.expected)")
        }
        let url = JSONForm<String>.string.map("an https address") {
            Self.isProtected($0) ? $0 : nil
        }
        guard let named = metadata["issuer"]?.string, named.hasSameBytes(as: issuer) else {
            throw .invalidAnswer("the metadata is that of another issuer")
        }
        self.issuer = issuer
        authorization = try reader.required("authorization_endpoint", url)
        token = try reader.required("token_endpoint", url)
        keys = try reader.required("jwks_uri", url)
        userInfo = try reader.optional("userinfo_endpoint", url)
        revocation = try reader.optional("revocation_endpoint", url)
        deviceAuthorization = try reader.optional("device_authorization_endpoint", url)
        endSession = try reader.optional("end_session_endpoint", url)
        namesIssuerInResponse =
            metadata["authorization_response_iss_parameter_supported"]?.bool ?? false
    }

    /// Whether the URL is `https`, or `http` to a loopback address, as RFC 8252 section 8.3 allows.
    package static func isProtected(_ url: String) -> Bool {
        guard url.utf8.count <= 2048, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            WebClient.hasPort(url)
        else { return false }
        if url.hasPrefix("https://") { return url.utf8.count > 8 }
        guard url.hasPrefix("http://") else { return false }
        let authority = url.dropFirst(7).prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else { return false }
        if authority.hasPrefix("[") { return authority == "[::1]" || authority.hasPrefix("[::1]:") }
        return ["localhost", "127.0.0.1"].contains(authority.prefix { $0 != ":" })
    }
}
