// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import UserClient

/// The token endpoint, as a public client sees it: RFC 6749 sections 3.2 and 5, and with keys RFC
/// 9449 sections 5 and 8.
struct TokenEndpointClient: Sendable {
    let connection: ProviderConnection
    /// The key of the profile; `nil` if tokens are not bound.
    let key: any StoredKey
    /// The attestation source for a sign-in with the installation's key.
    var voucher: AppAttestationSource?

    /// The person and ceremony that a response must belong to.
    struct Expectation: Sendable {
        var nonce: String?
        var subject: String?
        /// The ID token of before, which a renewal goes on from.
        var before: String?
        /// Whether the request has consumed a refresh token.
        var isRenewal = false
    }

    private static let dpopNonceNeeded = "use_dpop_nonce"

    /// Sends a grant. Tokens are bound to the key when the provider can do that.
    func request(
        _ form: [(String, String)], expecting expectation: Expectation = Expectation(),
        in domain: IdentityError.Domain
    ) async throws -> StoredTokens {
        let documents = try await connection.knownDocuments()
        let sentAt = connection.clock.now
        let answer: ResourceResponse
        if let voucher {
            answer = try await voucher.inTurn {
                try await answered(await voucher.vouching(for: form), documents, domain)
            }
        } else {
            answer = try await answered(form, documents, domain)
        }
        guard answer.status == 200 else {
            throw TokenRefusal(answer, in: domain)
        }
        return try await read(answer, sentAt: sentAt, expectation)
    }

    /// Sent again where the provider asks for a nonce in the proof (RFC 9449 section 8).
    private func answered(
        _ form: [(String, String)], _ documents: ProviderDocuments,
        _ domain: IdentityError.Domain
    ) async throws -> ResourceResponse {
        let answer = try await send(form, documents, nonce: nil, domain)
        guard let nonce = answer.header("dpop-nonce"),
            Self.errorName(answer) == Self.dpopNonceNeeded
        else { return answer }
        return try await send(form, documents, nonce: nonce, domain)
    }

    private func send(
        _ form: [(String, String)], _ documents: ProviderDocuments, nonce: String?,
        _ domain: IdentityError.Domain
    ) async throws -> ResourceResponse {
        let fields = form + [("client_id", connection.configuration.clientID)]
        let body = FormEncoding.encode(fields.map { (name: $0.0, value: $0.1) })
        let url = documents.directory.token
        var request = ResourceRequest(url, method: "POST", body: Array(body.utf8))
        request.set("content-type", "application/x-www-form-urlencoded")
        if documents.supportsDPoP {
            let proof = DPoPProofBuilder(
                key: key, clock: connection.providerClock, random: connection.random)
            request.set(
                "dpop", try await proof.make("POST", url, accessToken: nil, nonce: nonce))
        }
        return try await connection.send(request, in: domain)
    }

    private static func errorName(_ answer: ResourceResponse) -> String? {
        guard answer.status == 400 || answer.status == 401 else { return nil }
        return (try? ProviderConnection.object(answer))?["error"]?.string
    }

    private func read(
        _ answer: ResourceResponse, sentAt: Timestamp, _ expectation: Expectation
    ) async throws -> StoredTokens {
        let body = try ProviderConnection.object(answer)
        let type = body["token_type"]?.string?.lowercased()
        guard let accessToken = body["access_token"]?.string, !accessToken.isEmpty,
            type == "bearer" || type == "dpop"
        else { throw ProviderConnection.invalid("the token response has no usable token") }
        let lifetime = min(max(body["expires_in"]?.integer ?? 0, 0), 31_536_000)
        let idToken: String?
        if let text = body["id_token"]?.string {
            idToken = try await verified(text, expectation)
        } else {
            guard expectation.nonce == nil else {
                throw ProviderConnection.invalid("the token response has no ID token")
            }
            idToken = nil
        }
        return StoredTokens(
            accessToken: Secret(accessToken), isBoundToKey: type == "dpop", obtainedAt: sentAt,
            expiresAt: sentAt + .seconds(lifetime),
            refreshToken: body["refresh_token"]?.string.map { Secret($0) },
            scope: body["scope"]?.string ?? "", idToken: idToken)
    }

    /// Returns the verified ID token; `nil` for one that cannot be verified now. The other tokens
    /// are retained, because the previous ones are revoked.
    private func verified(
        _ idToken: String, _ expectation: Expectation
    ) async throws -> String? {
        do {
            _ = try await IDTokenCheck(connection: connection).verify(idToken, expectation)
            return idToken
        } catch let error as IdentityError
            where expectation.isRenewal && (error.code == .clockWrong || error.isAboutTheWay)
        { return nil }
    }

    /// Revokes a refresh token and all tokens of its grant (RFC 7009).
    static func revoke(_ token: Secret, by connection: ProviderConnection) async throws {
        guard let url = try await connection.knownDocuments().directory.revocation else { return }
        let form = FormEncoding.encode([
            (name: "token", value: token.revealText()),
            (name: "token_type_hint", value: "refresh_token"),
            (name: "client_id", value: connection.configuration.clientID),
        ])
        var request = ResourceRequest(url, method: "POST", body: Array(form.utf8))
        request.set("content-type", "application/x-www-form-urlencoded")
        let answer = try await connection.send(request, in: .signOut)
        guard answer.status == 200 else { throw ProviderErrorMapping.error(answer, in: .signOut) }
    }
}

/// The token endpoint's "no", with what it was said in: the PIN protocol has its own words there.
struct TokenRefusal: Error {
    let error: IdentityError
    let answer: ResourceResponse

    init(_ answer: ResourceResponse, in domain: IdentityError.Domain) {
        self.answer = answer
        error = ProviderErrorMapping.error(answer, in: domain)
    }

    /// Whether what was presented is dead: revoked, expired, used twice.
    var isGrantDead: Bool { error.serverCode == "invalid_grant" }
}
