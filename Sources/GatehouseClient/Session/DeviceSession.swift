// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The session of an installation. See ``CurrentInstallation/session(scopes:with:)``.
public actor DeviceSession: RequestAuthorizing {
    private nonisolated let signIn: InstallationSignIn
    private var current: StoredTokens
    private let signIns = CoalescingTask<StoredTokens>()

    init(signIn: InstallationSignIn, tokens: StoredTokens) {
        self.signIn = signIn
        current = tokens
    }

    /// Returns an access token that is valid for at least 30 seconds. Its `sub` is the installation.
    /// Concurrent callers share one request for a new token.
    public func accessToken() async throws -> AccessToken { AccessToken(try await tokens()) }

    private func tokens() async throws -> StoredTokens {
        let known = current
        if known.isGood(for: .seconds(30), at: signIn.clock.now) { return known }
        return try await replaced(known)
    }

    /// Replaces tokens that have expired or that a service has refused.
    private func replaced(_ known: StoredTokens) async throws -> StoredTokens {
        try await signIns.value { try await self.signInAgain(replacing: known) }
    }

    private func signInAgain(replacing known: StoredTokens) async throws -> StoredTokens {
        guard current == known else { return current }
        let signIn = signIn
        current = try await IdentityError.surfacing(.authentication) { try await signIn.run() }
        return current
    }

    /// See ``RequestAuthorizing``.
    public nonisolated func authorize(_ request: inout ResourceRequest) async throws {
        request = try await signIn.presentation.authorized(request, with: try await tokens())
    }

    /// See ``RequestAuthorizing``.
    public nonisolated func data(for request: ResourceRequest) async throws -> ResourceResponse {
        let tokens = try await tokens()
        return try await signIn.presentation.send(request, with: tokens) {
            try await replaced(tokens)
        }
    }
}
