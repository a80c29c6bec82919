// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import OAuth
import Primitives

/// Signs a person in with the installation's key, which signs a nonce of the provider
/// (`docs/registration.md`, "Signing in"; the grant of RFC 7523 section 2.1).
struct KeySignIn: Sendable {
    let connection: ProviderConnection
    let endpoint: TokenEndpointClient
    let key: any StoredKey

    /// - Parameter challenge: A nonce that the provider has sent in advance; `nil` requests one.
    /// - Throws: ``TokenRefusal`` when the key is not taken.
    func run(
        userID: String, keyID: String, scopes: [String], challenge: ServerChallenge? = nil,
        in domain: IdentityError.Domain
    ) async throws -> StoredTokens {
        let assertion = try await assertion(
            of: userID, typ: "JWT", keyID, challenge: challenge, domain)
        return try await endpoint.request(
            Self.form(assertion, scopes), expecting: .init(subject: userID), in: domain)
    }

    /// Requests tokens for the installation itself, without a person.
    ///
    /// - Parameter scopes: The scopes; with `nil` all that a device may have.
    /// - Throws: `TokenRefusal` if the key is refused.
    func runAsDevice(
        _ installationID: String, keyID: String, scopes: [String]?
    ) async throws -> StoredTokens {
        let assertion = try await assertion(
            of: installationID, typ: SignInToken.deviceType, keyID, challenge: nil,
            .authentication)
        return try await endpoint.request(Self.form(assertion, scopes), in: .authentication)
    }

    private func assertion(
        of subject: String, typ: String, _ keyID: String, challenge: ServerChallenge?,
        _ domain: IdentityError.Domain
    ) async throws -> String {
        let challenge = if let challenge { challenge } else { try await requestChallenge(domain) }
        let token = SignInToken(
            userID: subject, audience: challenge.audience, nonce: challenge.nonce,
            // The challenge has just told the provider's time, though not to the second.
            expiresAt: connection.providerClock.now.seconds + SignInToken.maximumLifetime - 60)
        return try await KeySignature.jws(payload: token.json, typ: typ, kid: keyID, by: key)
    }

    private func requestChallenge(
        _ domain: IdentityError.Domain
    ) async throws -> ServerChallenge {
        let answer = try await connection.post("sign_in_challenge", nil, in: domain)
        guard let challenge = ServerChallenge(answer) else {
            throw ProviderConnection.invalid("the challenge is incomplete")
        }
        return challenge
    }

    static func form(_ assertion: String, _ scopes: [String]?) -> [(String, String)] {
        let form = [
            ("grant_type", TokenRequest.assertionGrantType), ("assertion", assertion),
        ]
        return form + (scopes.map { [("scope", $0.joined(separator: " "))] } ?? [])
    }
}
