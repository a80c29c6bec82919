// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

/// Introspects tokens at the provider (RFC 7662): the person, the scopes, and whether the token is
/// still active. So a person who was signed out a moment ago is refused.
struct TokenCheck: Sendable {
    let issuer: String
    /// The client ID of this service at the provider, and the audience of its tokens.
    let clientID: String
    let secret: String
    let transport: NetworkTransport

    struct Claims: Decodable, Sendable {
        struct Confirmation: Decodable, Sendable { let jkt: String }

        let sub: String
        let iss: String
        let aud: String
        let scope: String?
        /// The key that the sender of the token must prove (RFC 9449 section 6.2).
        let cnf: Confirmation?

        var scopes: [Substring] { (scope ?? "").split(separator: " ") }
    }

    private struct Standing: Decodable { let active: Bool }
    private struct Metadata: Decodable {
        let issuer: String
        let introspectionEndpoint: String

        enum CodingKeys: String, CodingKey {
            case issuer
            case introspectionEndpoint = "introspection_endpoint"
        }
    }

    /// The provider gave no answer that could be used.
    struct NoAnswer: Error {}

    func claims(of token: String) async throws -> Claims {
        var request = ResourceRequest(try await endpoint(), method: "POST")
        request.set("content-type", "application/x-www-form-urlencoded")
        request.set(
            "authorization", "Basic " + Data("\(clientID):\(secret)".utf8).base64EncodedString())
        request.body = Array("token=\(Self.encoded(token))".utf8)
        let answer = try await transport.response(to: request)
        guard answer.status == 200 else { throw NoAnswer() }
        let body = Data(answer.body)
        guard try JSONDecoder().decode(Standing.self, from: body).active else {
            throw Refusal.token("it does not stand, or is none of ours")
        }
        let claims = try JSONDecoder().decode(Claims.self, from: body)
        guard claims.iss == issuer, claims.aud == clientID else {
            throw Refusal.token("it is for \(claims.aud)")
        }
        return claims
    }

    private func endpoint() async throws -> String {
        let answer = try await transport.response(
            to: ResourceRequest(issuer + "/.well-known/openid-configuration"))
        let metadata = try JSONDecoder().decode(Metadata.self, from: Data(answer.body))
        guard metadata.issuer == issuer else { throw NoAnswer() }
        return metadata.introspectionEndpoint
    }

    /// Whatever was sent as a token, as one field of a form.
    private static func encoded(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
