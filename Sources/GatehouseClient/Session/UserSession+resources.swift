// SPDX-License-Identifier: Apache-2.0
import Primitives

extension UserSession: RequestAuthorizing {
    /// Adds an access token to a request, and with DPoP the proof for this request.
    ///
    /// - Throws: ``IdentityError/Code/requestInvalid`` for an address that is neither https nor on
    ///   this machine: no token goes there. Likewise for a method or a header field that HTTP does
    ///   not have.
    public nonisolated func authorize(_ request: inout ResourceRequest) async throws {
        request = try await presentation.authorized(
            request, with: try await tokens(goodFor: .seconds(30)))
    }

    /// Sends a request with an access token, and gives the answer, whatever its status.
    ///
    /// If the resource refuses the token (401, RFC 6750 section 3.1), the request is sent once more
    /// with a new one: the provider may have revoked the first. For redirects and large responses
    /// see ``RequestAuthorizing/data(for:)``.
    public nonisolated func data(for request: ResourceRequest) async throws -> ResourceResponse {
        let tokens = try await tokens(goodFor: .seconds(30))
        return try await presentation.send(request, with: tokens) { try await replaced(tokens) }
    }

    /// Sends a request to another service of the operator, with a token for that service only: see
    /// ``exchange(audience:scopes:)``.
    public nonisolated func data(
        for request: ResourceRequest, audience: String, scopes: [String]? = nil
    ) async throws -> ResourceResponse {
        let tokens = try await exchangedTokens(audience, scopes)
        return try await presentation.send(request, with: tokens) {
            try await exchangedTokens(audience, scopes, besides: tokens)
        }
    }

    private nonisolated var presentation: TokenPresentation {
        let renewal = renewal
        return TokenPresentation(
            connection: renewal.connection, key: { try await renewal.tokenKey() })
    }
}
