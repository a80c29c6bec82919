// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import PlatformSSO
import Primitives
import ProviderCore
import ProviderTokens
import Storage

/// The tokens of a device for a person: an ID token, and a refresh token that is valid only on this
/// device.
struct DeviceTokens: Sendable {
    let call: DeviceRequestContext
    let person: Person

    private var policy: ProjectPolicy { call.tenant.project.policy }

    /// Creates a grant at the first generation of its token family.
    func makeGrant(_ factor: AuthenticationFactor, scope: ScopeSet) -> Grant {
        Grant(
            id: call.context.newIdentifier(), project: call.context.project,
            client: call.client.client.id, person: person.id, session: nil,
            scope: scope.intersection(call.client.scope).text,
            authenticationMethods: factor.methods.joined(separator: " "),
            authenticatedAt: factor.at, contextClass: factor.contextClass, generation: 1,
            rotatedAt: call.now, createdAt: call.now,
            expiresAt: call.now + .seconds(policy.refreshTokenLifetime), device: call.device.id)
    }

    /// The response to a login or a refresh, before it is sealed.
    ///
    /// - Parameter groups: the groups in the request. The device removes the person from each of
    ///   them that is not in the response.
    func answer(
        _ grant: Grant, to facts: PlatformSSO.VerifiedRequestClaims, groups: [String]
    ) async throws -> [UInt8] {
        let token = RefreshToken(grant: grant.id, generation: grant.generation)
            .text(for: grant.client, on: call.device.id, secrets: call.provider.secrets)
        let fullLogin = grant.authenticatedAt + .seconds(policy.platformSSO.loginFrequency)
        let end = min(
            grant.expiresAt, fullLogin, call.now + .seconds(policy.refreshTokenIdleLifetime))
        let access: String? =
            if policy.platformSSO.accessToken { try await accessToken(grant) } else { nil }
        let response = LoginResponse(
            idToken: try await idToken(grant, nonce: facts.nonce, groups: groups),
            refreshToken: Secret(token), refreshTokenExpiresIn: max(end - call.now, .seconds(0)),
            expiresIn: .seconds(policy.idTokenLifetime),
            accessToken: access)
        return response.json
    }

    /// An access token for applications. It cannot register devices or keys, which requires a
    /// separate sign-in.
    private func accessToken(_ grant: Grant) async throws -> String {
        let scope = ScopeSet(grant.scope) ?? ScopeSet()
        return try await PersonalAccessToken(
            provider: call.provider, tenant: call.tenant, client: call.client,
            facts: call.context.facts
        ).make(
            for: grant, of: person,
            scope: scope.subtracting(ScopeSet([ProviderScope.platformSSO])))
    }

    private func idToken(_ grant: Grant, nonce: String, groups: [String]) async throws -> String {
        let context = GrantedContext(grant)
        let now = call.now.seconds
        let claims = IDTokenClaims(
            issuer: call.tenant.issuer, subject: person.id.description,
            clientID: call.client.clientID, issuedAt: now,
            expiresAt: now + policy.idTokenLifetime, authenticatedAt: grant.authenticatedAt.seconds,
            nonce: nonce, contextClass: context.contextClass, methods: context.methods,
            session: nil,
            single: try await personClaims(ScopeSet(grant.scope) ?? ScopeSet(), groups))
        let signer = try await call.provider.keys.signer(
            for: call.tenant, algorithm: call.client.signsIDTokensWithRSA ? .rs256 : .es256)
        let token = try signer.sign(payload: claims.json(accessTokenHash: nil), typ: "JWT")
        return String(decoding: token, as: UTF8.self)
    }

    /// The claims of the person. The device creates accounts from the ID token, and macOS requests
    /// only its scope, so that scope includes name and email address if the client may have them.
    private func personClaims(
        _ scope: ScopeSet, _ groups: [String]
    ) async throws -> [(name: String, value: JSONValue)] {
        let forAccounts = ScopeSet(["profile", "email"]).intersection(call.client.scope)
        let claims = PersonClaimsWriter(person: person).values(
            for: scope.contains(ProviderScope.platformSSO)
                ? scope.union(forAccounts).subtracting(ScopeSet(["groups"]))
                : scope.subtracting(ScopeSet(["groups"])))
        let granted = GroupRequest.granted(person.claims.groups ?? [], of: groups)
        var more = PersonalTokenClaims(
            client: call.client, person: person, log: call.provider.log, facts: call.context.facts
        ).customOfIDToken
        if let name = try await accountName() {
            more.append(("account_name", .string(name)))
        }
        if policy.platformSSO.deviceClaim { more.append(("device", device)) }
        guard !groups.isEmpty else { return claims + more }
        return claims + more + [("groups", .array(granted.map(JSONValue.string)))]
    }

    /// The account name of the person. A new one is assigned if they have none.
    private func accountName() async throws -> String? {
        if let name = person.accountName { return name }
        return try await call.context.store.people.assignAccountName(
            AccountName.candidates(for: person), to: person.id, in: person.project,
            now: call.now)
    }

    /// The properties of the device, for decisions of applications.
    private var device: JSONValue {
        let compliance = call.device.compliance(at: call.now)
        return [
            "id": .string(call.device.id.description),
            "attested": .bool(call.device.attestation != "{}"),
            "compliance": .string(compliance?.rawValue ?? "unknown"),
        ]
    }
}
