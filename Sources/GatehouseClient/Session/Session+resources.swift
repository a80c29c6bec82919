// SPDX-License-Identifier: Apache-2.0
import Primitives
import UserClient

extension Session {
    /// Adds an access token to a request, and with DPoP the proof that goes with it. The proof is
    /// good for this request alone.
    ///
    /// - Throws: ``IdentityError/Code/requestInvalid`` for an address that is neither https nor on
    ///   this machine: no token goes there.
    public nonisolated func authorize(_ request: inout ResourceRequest) async throws {
        request = try await authorized(request, with: try await tokens(goodFor: .seconds(30)))
    }

    /// Sends a request with an access token, and gives the answer, whatever its status.
    ///
    /// When the resource says that the token is not good (401), it is tried once more with a new
    /// one: the provider may have taken the first out of use.
    public nonisolated func data(for request: ResourceRequest) async throws -> ResourceResponse {
        let tokens = try await tokens(goodFor: .seconds(30))
        var answer = try await send(try await authorized(request, with: tokens))
        if answer.status == 401, tokens.isBoundToKey, let nonce = answer.header("dpop-nonce") {
            answer = try await send(try await authorized(request, with: tokens, nonce: nonce))
        }
        guard answer.status == 401 else { return answer }
        let newer: StoredTokens
        do { newer = try await replaced(tokens) } catch { return answer }
        return try await send(
            try await authorized(
                request, with: newer,
                nonce: newer.isBoundToKey ? answer.header("dpop-nonce") : nil))
    }

    /// The same for another of the operator's services, with a token that is for it alone: see
    /// ``exchange(audience:scopes:)``.
    public nonisolated func data(
        for request: ResourceRequest, audience: String, scopes: [String]? = nil
    ) async throws -> ResourceResponse {
        let tokens = try await exchangedTokens(audience, scopes)
        let answer = try await send(try await authorized(request, with: tokens))
        guard answer.status == 401, tokens.isBoundToKey, let nonce = answer.header("dpop-nonce")
        else { return answer }
        return try await send(try await authorized(request, with: tokens, nonce: nonce))
    }

    private nonisolated func authorized(
        _ request: ResourceRequest, with tokens: StoredTokens, nonce: String? = nil
    ) async throws -> ResourceRequest {
        guard ProviderDirectory.isProtected(request.url) else {
            throw IdentityError(
                .resource, .requestInvalid, "an access token goes over https only")
        }
        var request = request
        let word = tokens.isBoundToKey ? "DPoP" : "Bearer"
        request.set("authorization", "\(word) \(tokens.accessToken.revealText())")
        guard tokens.isBoundToKey else { return request }
        let proof = DPoPProof(
            key: try await renewal.tokenKey(), clock: renewal.connection.providerClock,
            random: renewal.connection.random)
        request.set(
            "dpop",
            try await proof.make(
                request.method, request.url, accessToken: tokens.accessToken, nonce: nonce))
        return request
    }

    private nonisolated func send(_ request: ResourceRequest) async throws -> ResourceResponse {
        try await renewal.connection.send(request, in: .resource)
    }
}
