// SPDX-License-Identifier: Apache-2.0
import Primitives
import UserClient

/// A source of access tokens for requests: a person's ``UserSession``, or a ``DeviceSession``.
public protocol RequestAuthorizing: Sendable {
    /// Adds an access token to a request, and with DPoP the proof for this request.
    ///
    /// - Throws: ``IdentityError/Code/requestInvalid`` for an address that is neither https nor on
    ///   this machine: no token goes there. Likewise for a method or a header field that HTTP does
    ///   not have.
    func authorize(_ request: inout ResourceRequest) async throws

    /// Sends a request with an access token, and gives the answer, whatever its status. Follows no
    /// redirect: the token is for who was asked.
    ///
    /// - Throws: The errors of ``authorize(_:)``, and ``IdentityError/Code/invalidAnswer`` for a
    ///   response of more than 4 MiB. Send such a request yourself, with ``authorize(_:)``.
    func data(for request: ResourceRequest) async throws -> ResourceResponse
}

/// Adds a token to a request: RFC 6750 section 2.1, RFC 9449 section 7.1.
struct TokenPresentation: Sendable {
    let connection: ProviderConnection
    /// The key of bound tokens.
    let key: @Sendable () async throws -> any StoredKey

    func authorized(
        _ request: ResourceRequest, with tokens: StoredTokens, nonce: String? = nil
    ) async throws -> ResourceRequest {
        guard ProviderEndpoints.isProtected(request.url) else {
            throw IdentityError(
                .resource, .requestInvalid, "an access token is sent over https only")
        }
        guard request.isWellFormed else {
            throw IdentityError(
                .resource, .requestInvalid, "the method or a header field is not valid in HTTP")
        }
        var request = request
        let word = tokens.isBoundToKey ? "DPoP" : "Bearer"
        request.set("authorization", "\(word) \(tokens.accessToken.revealText())")
        guard tokens.isBoundToKey else { return request }
        let proof = DPoPProofBuilder(
            key: try await key(), clock: connection.providerClock, random: connection.random)
        request.set(
            "dpop",
            try await proof.make(
                request.method, request.url, accessToken: tokens.accessToken, nonce: nonce))
        return request
    }

    /// Sends a request, and sends it again if the resource requires a nonce in the proof (RFC 9449
    /// section 9).
    func send(
        _ request: ResourceRequest, with tokens: StoredTokens
    ) async throws -> ResourceResponse {
        let answer = try await connection.send(
            try await authorized(request, with: tokens), in: .resource)
        guard answer.status == 401, tokens.isBoundToKey, let nonce = answer.header("dpop-nonce")
        else { return answer }
        return try await connection.send(
            try await authorized(request, with: tokens, nonce: nonce), in: .resource)
    }

    /// Sends a request, and sends it again with newer tokens if the resource refuses these (401,
    /// RFC 6750 section 3.1). If there are none, the first response is returned.
    func send(
        _ request: ResourceRequest, with tokens: StoredTokens,
        replacing newer: () async throws -> StoredTokens
    ) async throws -> ResourceResponse {
        let answer = try await send(request, with: tokens)
        guard answer.status == 401, let newer = try? await newer() else { return answer }
        let nonce = newer.isBoundToKey ? answer.header("dpop-nonce") : nil
        return try await connection.send(
            try await authorized(request, with: newer, nonce: nonce), in: .resource)
    }
}

extension ResourceRequest {
    /// Whether method and names are tokens, and values have no control characters: RFC 9110
    /// sections 5.6.2 and 5.5. Anything else could begin another request, or end this one.
    fileprivate var isWellFormed: Bool {
        Self.isToken(method)
            && headers.allSatisfy { field in
                Self.isToken(field.name)
                    && field.value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
            }
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x21...0x7E).contains($0) && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
            }
    }
}
