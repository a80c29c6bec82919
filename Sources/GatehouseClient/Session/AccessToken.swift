// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An access token, with an expiry. Its description does not contain the token.
public struct AccessToken: Sendable, Equatable, CustomStringConvertible {
    let secret: Secret
    /// The expiry, by this device's clock.
    public let expiresAt: Date
    /// The granted scopes.
    public let scopes: [String]
    /// Whether it is bound to a key of this installation (DPoP, RFC 9449), and cannot be used
    /// without it.
    public let isBoundToKey: Bool

    init(_ tokens: StoredTokens) {
        secret = tokens.accessToken
        expiresAt = tokens.expiresAt.date
        scopes = tokens.scope.split(separator: " ").map(String.init)
        isBoundToKey = tokens.isBoundToKey
    }

    /// Returns the token, for apps that send it themselves. Prefer ``UserSession/authorize(_:)``, which
    /// adds the proof.
    public func reveal() -> String { secret.revealText() }

    /// A text for logs, without a secret.
    public var description: String { "access token until \(expiresAt)" }
}

/// The claims about a person in a verified ID token.
public struct IDToken: Sendable, Equatable {
    /// The compact JWS, for who must hand it on.
    public let text: String
    private let claims: JSONObject

    init?(_ text: String) {
        guard let jws = try? UnverifiedJWS(compact: text),
            let claims = try? JSONParser.parseObject(
                jws.payload, maximumBytes: 65_536, maximumDepth: 8)
        else { return nil }
        self.text = text
        self.claims = claims
    }

    /// Names of the claims, in their order.
    public var claimNames: [String] { claims.names }

    /// The claim of that name, when it is there and of that type.
    public func claim<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
        claims[name].flatMap { try? JSONDecoder().decode(type, from: Data($0.bytes)) }
    }
}
