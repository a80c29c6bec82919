// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A store of the tokens of sign-ins that refreshes access tokens on demand.
package struct TokenRefresher: Sendable {
    private let file: TokenFile
    private let client: OpenIDClient

    package init(file: TokenFile, client: OpenIDClient) {
        self.file = file
        self.client = client
    }

    /// Saves the tokens of a sign-in.
    package func save(_ tokens: TokenSet) async throws {
        try await file.update(issuer: tokens.issuer) { _ in tokens }
    }

    /// Returns tokens whose access token is valid for at least another half minute, after a refresh
    /// if required. Of two concurrent processes only one refreshes; the second reads the saved
    /// result.
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
                // The token is revoked, expired or reused: the stored tokens are deleted.
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
        // RFC 6749 section 6: without a new refresh token the old one remains valid.
        refreshed.refreshToken = refreshed.refreshToken ?? refreshToken
        if let subject = refreshed.subject, let before = tokens.subject, subject != before {
            throw UserClientError.invalidAnswer("the refreshed tokens belong to another person")
        }
        // If the sign-in had no subject, the first refresh determines it.
        refreshed.subject = tokens.subject ?? refreshed.subject
        return refreshed
    }

    /// Revokes the tokens at the issuer and deletes them. They are deleted even if the issuer is
    /// unreachable; then it throws.
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
