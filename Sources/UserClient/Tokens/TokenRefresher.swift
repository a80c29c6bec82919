// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Keeps the tokens of sign-ins and has a fresh access token whenever one is asked for.
package struct TokenRefresher: Sendable {
    private let file: TokenFile
    private let client: OpenIDClient

    package init(file: TokenFile, client: OpenIDClient) {
        self.file = file
        self.client = client
    }

    /// Keeps what a sign-in gave.
    package func keep(_ tokens: TokenSet) async throws {
        try await file.update(issuer: tokens.issuer) { _ in tokens }
    }

    /// Tokens whose access token is good for another half minute at least. Refreshes them when
    /// they are not; two processes that ask at once refresh once, for the second finds what the
    /// first has kept.
    package func fresh(issuer: String?) async throws -> TokenSet {
        guard let kept = try file.read(issuer: issuer) else { throw UserClientError.signedOut }
        if kept.isFresh(at: client.clock.now) { return kept }
        var result: Result<TokenSet, any Error> = .failure(UserClientError.signedOut)
        try await file.update(issuer: kept.issuer) { current in
            guard let current else { return nil }
            do {
                let refreshed = try await refresh(current)
                result = .success(refreshed)
                return refreshed
            } catch UserClientError.refused(code: "invalid_grant", _) {
                // Revoked, expired or used twice: there is nothing left to keep.
                return nil
            } catch {
                result = .failure(error)
                return current
            }
        }
        return try result.get()
    }

    private func refresh(_ tokens: TokenSet) async throws -> TokenSet {
        if tokens.isFresh(at: client.clock.now) { return tokens }
        guard let refreshToken = tokens.refreshToken else { throw UserClientError.signedOut }
        let directory = try await client.discover(tokens.issuer)
        var refreshed = try await client.grant(
            directory,
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken.revealText())])
        // RFC 6749 section 6: without a new one the old one stays.
        refreshed.refreshToken = refreshed.refreshToken ?? refreshToken
        if let subject = refreshed.subject, let before = tokens.subject, subject != before {
            throw UserClientError.invalidAnswer("the refreshed tokens belong to somebody else")
        }
        // A sign-in that named nobody is whose the first refresh says.
        refreshed.subject = tokens.subject ?? refreshed.subject
        return refreshed
    }

    /// Revokes the tokens at the issuer and forgets them. They are forgotten even when the issuer
    /// cannot be reached; then it throws.
    package func signOut(issuer: String?) async throws -> String {
        guard let kept = try file.read(issuer: issuer) else { throw UserClientError.signedOut }
        var failure: (any Error)?
        try await file.update(issuer: kept.issuer) { current in
            do {
                let directory = try await client.discover(kept.issuer)
                let token = current?.refreshToken ?? kept.refreshToken ?? kept.accessToken
                try await client.revoke(directory, token: token)
            } catch { failure = error }
            return nil
        }
        if let failure { throw failure }
        return kept.issuer
    }
}
