// SPDX-License-Identifier: Apache-2.0
import Primitives

extension Session: RequestAuthorizing {
    /// Adds an access token to a request, and with DPoP the proof that goes with it. The proof is
    /// good for this request alone.
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
    /// When the resource says that the token is not good (401, RFC 6750 section 3.1), it is tried
    /// once more with a new one: the provider may have taken the first out of use.
    public nonisolated func data(for request: ResourceRequest) async throws -> ResourceResponse {
        let tokens = try await tokens(goodFor: .seconds(30))
        let answer = try await presentation.send(request, with: tokens)
        guard answer.status == 401 else { return answer }
        let newer: StoredTokens
        do { newer = try await replaced(tokens) } catch { return answer }
        let nonce = newer.isBoundToKey ? answer.header("dpop-nonce") : nil
        return try await renewal.connection.send(
            try await presentation.authorized(request, with: newer, nonce: nonce), in: .resource)
    }

    /// The same for another of the operator's services, with a token that is for it alone: see
    /// ``exchange(audience:scopes:)``.
    public nonisolated func data(
        for request: ResourceRequest, audience: String, scopes: [String]? = nil
    ) async throws -> ResourceResponse {
        try await presentation.send(request, with: try await exchangedTokens(audience, scopes))
    }

    private nonisolated var presentation: TokenPresentation {
        let renewal = renewal
        return TokenPresentation(
            connection: renewal.connection, key: { try await renewal.tokenKey() })
    }
}
