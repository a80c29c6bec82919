// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import OAuth
import Primitives

/// Signs somebody in with the installation's key: it signs a nonce of the provider's
/// (`docs/registration.md`, "Signing in").
struct KeySignIn: Sendable {
    let connection: ProviderConnection
    let endpoint: TokenEndpoint
    let key: any SigningKey

    /// - Throws: ``TokenRefusal`` when the key is not taken.
    func run(
        userID: String, keyID: String, scopes: [String], in domain: IdentityError.Domain
    ) async throws -> StoredTokens {
        let answer = try await connection.post("sign_in_challenge", nil, in: domain)
        guard let challenge = ServerChallenge(answer) else {
            throw ProviderConnection.invalid("the challenge is incomplete")
        }
        let token = SignInToken(
            userID: userID, audience: challenge.audience, nonce: challenge.nonce,
            // The challenge has just told the provider's time, though not to the second.
            expiresAt: connection.providerClock.now.seconds + SignInToken.longestLifetime - 60)
        let assertion = try await KeySignature.jws(
            payload: token.json, typ: "JWT", kid: keyID, by: key)
        return try await endpoint.request(
            Self.form(assertion, scopes), expecting: .init(subject: userID), in: domain)
    }

    static func form(_ assertion: String, _ scopes: [String]) -> [(String, String)] {
        [
            ("grant_type", TokenRequest.assertionGrantType), ("assertion", assertion),
            ("scope", scopes.joined(separator: " ")),
        ]
    }
}
