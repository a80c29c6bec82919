// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Crypto
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderPeople
import Storage

/// Builds the claims of the tokens.
struct TokenIssuer: Sendable {
    private let call: TokenRequestContext

    init(_ call: TokenRequestContext) { self.call = call }

    func issue(_ entitlement: TokenIssuance) async throws -> UnsealedTokens {
        let grant = entitlement.grant
        // The authentication of a person is only in tokens of that person.
        let shown = entitlement.subject == nil ? grant : nil
        let context = shown.map { GrantedContext($0) }
        let now = call.facts.now.seconds
        let policy = call.tenant.project.policy
        var access = AccessTokenClaims(
            issuer: call.tenant.issuer,
            subject: entitlement.subject ?? grant?.person.description ?? call.client.clientID,
            audience: entitlement.audience ?? call.client.client.metadata.audience
                ?? call.tenant.issuer,
            clientID: call.client.clientID, scope: entitlement.scope.text, issuedAt: now,
            expiresAt: min(now + policy.accessTokenLifetime, entitlement.endsBefore ?? .max),
            tokenID: call.provider.random.bytes(16),
            authenticatedAt: shown?.authenticatedAt.seconds,
            contextClass: context?.contextClass, methods: context?.methods,
            session: grant?.session?.description, grant: grant?.id)
        access.confirmation = call.confirmation
        let person = try await person(for: entitlement)
        if let person, shown != nil {
            access.more = call.claims(of: person).accessToken(entitlement.scope)
        }
        // Only the scope `entitlements` causes the read.
        if let grant, entitlement.scope.contains("entitlements") {
            access.entitlements = try await call.provider.store
                .entitlements.entitlements(of: grant.person, now: call.facts.now)?.effective.json
        }
        return UnsealedTokens(
            call: call, access: access, identity: identity(entitlement, person, now: now),
            refresh: refresh(entitlement),
            issuedTokenType: entitlement.audience.map { _ in TokenExchange.tokenType })
    }

    /// The person whose claims the tokens contain; `nil` if there are none. Then nothing is read.
    private func person(for entitlement: TokenIssuance) async throws -> Person? {
        guard let grant = entitlement.grant else { return nil }
        guard PersonalTokenClaims.isNeeded(for: entitlement, by: call.client) else { return nil }
        if let known = entitlement.person { return known }
        return try await call.provider.store.people.person(grant.person)
    }

    private func identity(
        _ entitlement: TokenIssuance, _ person: Person?, now: Int64
    ) -> IDTokenClaims? {
        guard let grant = entitlement.grant, entitlement.scope.contains("openid") else {
            return nil
        }
        let context = GrantedContext(grant)
        return IDTokenClaims(
            issuer: call.tenant.issuer, subject: grant.person.description,
            clientID: call.client.clientID, issuedAt: now,
            expiresAt: now + call.tenant.project.policy.idTokenLifetime,
            authenticatedAt: grant.authenticatedAt.seconds, nonce: entitlement.nonce,
            contextClass: context.contextClass, methods: context.methods,
            session: grant.session?.description,
            single: (person.map {
                call.claims(of: $0).idToken(entitlement.scope, grant)
            } ?? [])
                + (entitlement.approval.map { [(IDTokenClaims.approval, $0)] } ?? []))
    }

    private func refresh(_ entitlement: TokenIssuance) -> String? {
        guard let grant = entitlement.grant, let generation = entitlement.refreshGeneration else {
            return nil
        }
        // RFC 9449 section 5: the authentication of a confidential client binds its refresh tokens.
        let confirmation = call.client.isPublic ? call.confirmation : nil
        return RefreshToken(
            grant: grant.id, generation: generation, confirmation: confirmation
        )
        .text(for: grant.client, secrets: call.provider.secrets)
    }
}

/// The claims of tokens before they are signed.
struct UnsealedTokens: Sendable {
    let call: TokenRequestContext
    let access: AccessTokenClaims
    let identity: IDTokenClaims?
    let refresh: String?
    /// The type of an exchanged token.
    let issuedTokenType: String?

    /// Signs each token.
    func seal() async throws -> TokenResponse {
        let signer = try await call.provider.keys.signer(for: call.tenant, algorithm: .es256)
        let accessToken = try signer.sign(payload: access.json, typ: AccessTokenClaims.type)
        var response = TokenResponse(
            accessToken: String(decoding: accessToken, as: UTF8.self),
            expiresIn: access.expiresAt - access.issuedAt, refreshToken: refresh,
            idToken: try await sealIdentity(over: accessToken), scope: access.scope,
            isBoundToKey: access.confirmation != nil)
        response.issuedTokenType = issuedTokenType
        return response
    }

    private func sealIdentity(over accessToken: [UInt8]) async throws -> String? {
        guard let identity else { return nil }
        let signer = try await call.provider.keys.signer(
            for: call.tenant, algorithm: call.client.signsIDTokensWithRSA ? .rs256 : .es256)
        // Both algorithms use SHA-256; the left half of the hash is used.
        let hash = Base64URL.encode(Array(SHA256.hash(data: accessToken)).prefix(16))
        let token = try signer.sign(payload: identity.json(accessTokenHash: hash), typ: "JWT")
        // Signed first, then encrypted (OpenID Connect Core section 10.2). A client whose
        // encryption is not possible receives no token.
        guard let encryption = try call.client.idTokenEncryption.get() else {
            return String(decoding: token, as: UTF8.self)
        }
        let sealed = try encryption.encrypt(
            token, contentType: "JWT", random: call.provider.random)
        return String(decoding: sealed, as: UTF8.self)
    }
}
