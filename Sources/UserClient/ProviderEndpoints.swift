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
        func endpoint(_ name: String) throws(UserClientError) -> String? {
            guard let value = metadata[name] else { return nil }
            guard let url = value.string, Self.isProtected(url) else {
                throw .invalidAnswer("\(name) is not an https address")
            }
            return url
        }
        func required(_ name: String) throws(UserClientError) -> String {
            guard let url = try endpoint(name) else { throw .invalidAnswer("\(name) is missing") }
            return url
        }
        guard let named = metadata["issuer"]?.string, named.hasSameBytes(as: issuer) else {
            throw .invalidAnswer("the metadata is that of another issuer")
        }
        self.issuer = issuer
        authorization = try required("authorization_endpoint")
        token = try required("token_endpoint")
        keys = try required("jwks_uri")
        userInfo = try endpoint("userinfo_endpoint")
        revocation = try endpoint("revocation_endpoint")
        deviceAuthorization = try endpoint("device_authorization_endpoint")
        endSession = try endpoint("end_session_endpoint")
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
