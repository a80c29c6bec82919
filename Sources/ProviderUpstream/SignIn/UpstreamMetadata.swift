// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import ProviderCore
package import Storage

/// The endpoints of an upstream provider, from its discovery document (OpenID Connect Discovery 1.0
/// section 3) or from the configuration.
package struct UpstreamMetadata: Sendable, Equatable {
    package let issuer: String
    package let authorizationEndpoint: OutgoingURL
    package let tokenEndpoint: OutgoingURL
    package let userInfoEndpoint: OutgoingURL?
    package let jwksURI: OutgoingURL?
    /// The endpoint for a sign-out (RP-Initiated Logout 1.0 section 2.1); `nil` if there is none.
    package let endSessionEndpoint: OutgoingURL?
    /// The allowed algorithms of ID token signatures: only supported ones, and no symmetric ones.
    package let algorithms: [JWSAlgorithm]
    /// Whether every response contains its issuer (RFC 9207 section 3).
    package let namesIssuer: Bool

    /// An error in a discovery document or a configuration.
    package struct ParseError: Error, Sendable, Equatable {
        package let reason: String
    }

    static let algorithms = JWSAlgorithm.asymmetric
    static let maximumDocumentLength = 262_144

    /// The URL of the issuer's discovery document (section 4.1).
    static func address(of issuer: String) -> OutgoingURL? {
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        return OutgoingURL(base + "/.well-known/openid-configuration")
    }

    /// Parses a discovery document. Its issuer must equal the requested one (section 4.3), so that
    /// no provider can impersonate another.
    package init(document bytes: [UInt8], of issuer: String) throws(ParseError) {
        guard
            let object = try? JSONParser.parseObject(
                bytes, maximumBytes: Self.maximumDocumentLength, maximumDepth: 16)
        else { throw ParseError(reason: "the discovery document is not a JSON object") }
        guard let named = object["issuer"]?.string, named.hasSameBytes(as: issuer) else {
            throw ParseError(reason: "the discovery document is another issuer's")
        }
        guard let authorization = try Self.address("authorization_endpoint", in: object),
            let token = try Self.address("token_endpoint", in: object),
            let keys = try Self.address("jwks_uri", in: object)
        else { throw ParseError(reason: "the discovery document lacks an endpoint") }
        self.issuer = issuer
        authorizationEndpoint = authorization
        tokenEndpoint = token
        jwksURI = keys
        userInfoEndpoint = try Self.address("userinfo_endpoint", in: object)
        endSessionEndpoint = try Self.address("end_session_endpoint", in: object)
        let announced = object["id_token_signing_alg_values_supported"]?.strings
        algorithms = Self.algorithms.filter { announced?.contains($0.rawValue) ?? true }
        namesIssuer = object["authorization_response_iss_parameter_supported"]?.bool ?? false
    }

    /// Creates the metadata from the configuration alone.
    package init(configured settings: UpstreamSettings) throws(ParseError) {
        guard let authorization = OutgoingURL(settings.authorizationEndpoint),
            let token = OutgoingURL(settings.tokenEndpoint)
        else { throw ParseError(reason: "the configuration lacks an endpoint") }
        issuer = settings.issuer
        authorizationEndpoint = authorization
        tokenEndpoint = token
        userInfoEndpoint = OutgoingURL(settings.userInfoEndpoint)
        jwksURI = OutgoingURL(settings.jwksURI)
        endSessionEndpoint = nil
        algorithms = Self.algorithms
        namesIssuer = false
    }

    private init(_ found: UpstreamMetadata, overruledBy settings: UpstreamSettings) {
        issuer = found.issuer
        authorizationEndpoint =
            OutgoingURL(settings.authorizationEndpoint) ?? found.authorizationEndpoint
        tokenEndpoint = OutgoingURL(settings.tokenEndpoint) ?? found.tokenEndpoint
        userInfoEndpoint = OutgoingURL(settings.userInfoEndpoint) ?? found.userInfoEndpoint
        jwksURI = OutgoingURL(settings.jwksURI) ?? found.jwksURI
        endSessionEndpoint = found.endSessionEndpoint
        algorithms = found.algorithms
        namesIssuer = found.namesIssuer
    }

    /// Replaces endpoints by those of the configuration, which have precedence.
    func overruled(by settings: UpstreamSettings) -> UpstreamMetadata {
        UpstreamMetadata(self, overruledBy: settings)
    }

    private static func address(
        _ name: String, in object: JSONObject
    ) throws(ParseError) -> OutgoingURL? {
        guard let value = object[name] else { return nil }
        guard let address = value.string.flatMap(OutgoingURL.init) else {
            throw ParseError(reason: "\(name) is not a URL that may be requested")
        }
        return address
    }
}

extension UpstreamSettings {
    /// Whether the configuration needs no discovery document.
    var isComplete: Bool {
        !authorizationEndpoint.isEmpty && !tokenEndpoint.isEmpty && !jwksURI.isEmpty
    }
}
