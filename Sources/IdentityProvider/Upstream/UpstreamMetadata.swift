// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Storage

/// Where an upstream provider does what, from its discovery document (OpenID Connect Discovery 1.0
/// section 3) or from the configuration.
package struct UpstreamMetadata: Sendable, Equatable {
    package let issuer: String
    package let authorizationEndpoint: OutgoingURL
    package let tokenEndpoint: OutgoingURL
    package let userInfoEndpoint: OutgoingURL?
    package let jwksURI: OutgoingURL?
    /// Where people sign out (RP-Initiated Logout 1.0 section 2.1); `nil` when it offers none.
    package let endSessionEndpoint: OutgoingURL?
    /// Which algorithms its ID tokens may be signed with: never more than we know, never a shared
    /// key.
    package let algorithms: [JWSAlgorithm]
    /// Whether every answer names its issuer (RFC 9207 section 3).
    package let namesIssuer: Bool

    /// What a document or a configuration lacks.
    package struct ParseError: Error, Sendable, Equatable {
        package let reason: String
    }

    static let algorithms = JWSAlgorithm.asymmetric
    static let longestDocument = 262_144

    /// Where the document of that issuer lies (section 4.1).
    static func address(of issuer: String) -> OutgoingURL? {
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        return OutgoingURL(base + "/.well-known/openid-configuration")
    }

    /// Reads a discovery document, which must be of exactly the issuer that was asked for
    /// (section 4.3): anything else would let one provider speak for another.
    package init(document bytes: [UInt8], of issuer: String) throws(ParseError) {
        guard
            let object = try? JSONParser.parseObject(
                bytes, maximumBytes: Self.longestDocument, maximumDepth: 16)
        else { throw ParseError(reason: "the discovery document is no JSON object") }
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

    /// From the configuration alone.
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

    /// With the addresses that the configuration names, which count more.
    func overruled(by settings: UpstreamSettings) -> UpstreamMetadata {
        UpstreamMetadata(self, overruledBy: settings)
    }

    private static func address(
        _ name: String, in object: JSONObject
    ) throws(ParseError) -> OutgoingURL? {
        guard let value = object[name] else { return nil }
        guard let address = value.string.flatMap(OutgoingURL.init) else {
            throw ParseError(reason: "\(name) is no address that may be asked")
        }
        return address
    }
}

extension UpstreamSettings {
    /// Whether there is nothing left for a discovery document to say.
    var isComplete: Bool {
        !authorizationEndpoint.isEmpty && !tokenEndpoint.isEmpty && !jwksURI.isEmpty
    }
}
