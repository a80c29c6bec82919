// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What opens resources for a while. Prints without its letters.
public struct AccessToken: Sendable, Equatable, CustomStringConvertible {
    let secret: Secret
    /// When it ends, by this machine's clock.
    public let expiresAt: Date
    /// What it is good for.
    public let scopes: [String]
    /// Whether it is bound to a key of this installation (DPoP, RFC 9449), and of no use to
    /// whoever copies it.
    public let isBoundToKey: Bool

    init(_ tokens: StoredTokens) {
        secret = tokens.accessToken
        expiresAt = tokens.expiresAt.date
        scopes = tokens.scope.split(separator: " ").map(String.init)
        isBoundToKey = tokens.isBoundToKey
    }

    /// The letters, for who must send them with means of their own. ``Session/authorize(_:)`` is
    /// better: it knows how.
    public func reveal() -> String { secret.revealText() }

    /// For a log; holds no secret.
    public var description: String { "access token until \(expiresAt)" }
}

/// What the provider says about a person, in a verified ID token.
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
