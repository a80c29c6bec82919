// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import PlatformSSO
import Primitives
import Storage

/// What a device is given for a person: an ID token, and a refresh token that is good on that
/// device only.
struct DeviceTokens: Sendable {
    let call: DeviceRequestContext
    let person: Person

    private var policy: ProjectPolicy { call.tenant.project.policy }

    /// A grant at the first generation of its refresh family.
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

    /// The answer to a login or a refresh, before it is sealed.
    ///
    /// - Parameter groups: those that the device asks about. It takes away the membership in each
    ///   that is not in the answer.
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

    /// Of use to applications, and for registering nothing: that needs a sign-in of its own.
    private func accessToken(_ grant: Grant) async throws -> String {
        let scope = ScopeSet(grant.scope) ?? ScopeSet()
        return try await PersonalAccessToken(
            provider: call.provider, tenant: call.tenant, client: call.client,
            facts: call.context.facts
        ).make(
            for: grant, of: person,
            scope: scope.subtracting(ScopeSet([PlatformSSOEndpointInfo.scope])))
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

    /// Accounts on the machine are made from the ID token. macOS asks for no more than its own
    /// scope, so that one stands for name and address, as far as the client may have them.
    private func personClaims(
        _ scope: ScopeSet, _ groups: [String]
    ) async throws -> [(name: String, value: JSONValue)] {
        let forAccounts = ScopeSet(["profile", "email"]).intersection(call.client.scope)
        let claims = PersonClaimsWriter(person: person).values(
            for: scope.contains(PlatformSSOEndpointInfo.scope)
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

    /// Theirs, or the one that they are given now.
    private func accountName() async throws -> String? {
        if let name = person.accountName { return name }
        return try await call.context.store.giveAccountName(
            AccountName.candidates(for: person), to: person.id, in: person.project,
            now: call.now)
    }

    /// What applications may decide by.
    private var device: JSONValue {
        let compliance = call.device.compliance(at: call.now)
        return [
            "id": .string(call.device.id.description),
            "attested": .bool(call.device.attestation != "{}"),
            "compliance": .string(compliance?.rawValue ?? "unknown"),
        ]
    }
}
