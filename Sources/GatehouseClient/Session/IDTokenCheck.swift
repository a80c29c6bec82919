// SPDX-License-Identifier: Apache-2.0
import JOSE

/// Verifies ID tokens (OpenID Connect Core section 3.1.3.7).
struct IDTokenCheck: Sendable {
    let connection: ProviderConnection

    /// The claims. A key that is not known yet is looked for once more.
    func verify(
        _ idToken: String, _ expectation: TokenEndpointClient.Expectation
    ) async throws -> VerifiedClaims {
        var documents = try await connection.knownDocuments()
        if let kid = try? UnverifiedJWS(compact: idToken).header.keyID,
            documents.keySet.key(id: kid) == nil
        {
            documents = try await connection.fetch()
        }
        let clock = connection.providerClock
        let claims: VerifiedClaims
        do throws(JOSEError) {
            let verifier = JWSVerifier(keys: documents.keySet, algorithms: [.es256, .rs256])
            let policy = ClaimsPolicy(
                issuers: [connection.configuration.issuer],
                audience: .includesOne(of: [connection.configuration.clientID]), types: nil,
                required: ["iss", "sub", "aud", "exp", "iat"], leeway: clock.leeway)
            claims = try policy.verify(try verifier.verify(compact: idToken), now: clock.now)
        } catch {
            // It has just come from the provider: what is wrong with its times is the clock.
            if !clock.isTold, error.code == .expired || error.code == .notYetValid {
                throw IdentityError(.generic, .clockWrong, "the clock is wrong by days: \(error)")
            }
            throw ProviderConnection.invalid("the ID token is not valid: \(error)")
        }
        if let nonce = expectation.nonce, claims["nonce"]?.string != nonce {
            throw ProviderConnection.invalid("the ID token belongs to another sign-in")
        }
        if let subject = expectation.subject, claims.subject != subject {
            throw ProviderConnection.invalid("the ID token belongs to another person")
        }
        if let before = expectation.before { try check(claims, goesOnFrom: before) }
        return claims
    }

    /// Verifies that a renewed ID token repeats the authentication time and the nonce of the
    /// sign-in (OpenID Connect Core 1.0 section 12.2).
    private func check(_ claims: VerifiedClaims, goesOnFrom before: String) throws {
        // It was verified when it came.
        guard let jws = try? UnverifiedJWS(compact: before),
            let known = try? JSONParser.parseObject(jws.payload, maximumBytes: 65_536)
        else { return }
        for name in ["auth_time", "nonce"] {
            guard let new = claims[name], let old = known[name], new != old else { continue }
            throw ProviderConnection.invalid("the renewed ID token has another \(name)")
        }
    }
}
