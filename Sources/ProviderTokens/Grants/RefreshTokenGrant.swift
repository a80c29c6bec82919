// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
package import ProviderCore
import Storage

/// `grant_type=refresh_token`: RFC 6749 section 6, rotated at every use (RFC 9700 section 4.14.2).
///
/// ``rotateRefreshToken`` rotates the token and detects reuse in one statement. It needs no check
/// of the person: disabling a person and ending a session revoke the grants.
package struct RefreshTokenGrant: TokenGrant {
    package let token: String
    package let scope: String?

    package init(token: String, scope: String?) {
        self.token = token
        self.scope = scope
    }

    package static let grantType = "refresh_token"
    package static let action = "token.refresh"

    package struct Message: Sendable {
        let token: RefreshToken
        let scope: ScopeSet?
        /// The person, if the client has a policy.
        var person: Person?
    }

    package func verify(_ call: TokenRequestContext) async throws -> Result<Message, Refusal> {
        guard
            let verified = RefreshToken(
                token, for: call.client.client.id, secrets: call.provider.secrets)
        else { return .failure(.invalidGrant("not a refresh token of this client")) }
        guard verified.confirmation == nil || verified.confirmation == call.confirmation else {
            let reason = "a refresh token of another key, or without its proof"
            return .failure(.invalidGrant(reason).matched)
        }
        // Only for a client with a policy: it is evaluated before the rotation, and the record is
        // used again.
        var person: Person?
        if call.client.policy.isRestricted,
            let found = try await call.provider.store.grants.grantWithPerson(verified.grant)
        {
            person = found.1
            var asked = TokenIssuance(grant: found.0, scope: ScopeSet())
            asked.person = person
            if let refusal = try await call.policyRefusal(of: asked) {
                return .failure(refusal.matched)
            }
        }
        guard let scope else {
            return .success(Message(token: verified, scope: nil, person: person))
        }
        // Only a request for fewer scopes causes a read before the rotation.
        let grant = try await call.provider.store.grants.grant(verified.grant)
        guard let asked = ScopeSet(scope), !asked.isEmpty,
            asked.isSubset(of: ScopeSet(grant?.scope ?? "") ?? ScopeSet())
        else {
            return .failure(
                Refusal(
                    ErrorCode.invalidScope, "Request only scopes of the grant.",
                    reason: "refresh with wider scope"
                ).matched)
        }
        return .success(Message(token: verified, scope: asked, person: person))
    }

    package func consume(
        _ message: Message, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        let policy = call.tenant.project.policy
        switch try await call.provider.store.grants.rotateRefreshToken(
            grant: message.token.grant, generation: message.token.generation,
            idleLifetime: .seconds(policy.refreshTokenIdleLifetime),
            grace: message.token.grace(policy), now: call.facts.now,
            recording: call.provider.audit.prepare(call.draft(Self.action)))
        {
        case .rotated(let grant): return entitlement(to: grant, message, call, isRecorded: true)
        case .replayed(let grant): return entitlement(to: grant, message, call, isRecorded: false)
        case .reused: return .failure(.invalidGrant("reuse of a rotated token: family revoked"))
        case .unknown: return .failure(.invalidGrant("the token family is revoked"))
        }
    }

    /// Limits the granted scopes to those that the client may request today.
    private func entitlement(
        to grant: Grant, _ message: Message, _ call: TokenRequestContext, isRecorded: Bool
    ) -> Result<TokenIssuance, Refusal> {
        guard grant.project == call.tenant.project.id, grant.client == call.client.client.id else {
            return .failure(.invalidGrant("grant of another project or client"))
        }
        let granted = message.scope ?? ScopeSet(grant.scope) ?? ScopeSet()
        var entitlement = TokenIssuance(
            grant: grant, scope: granted.intersection(call.client.scope),
            refreshGeneration: grant.generation, isRecorded: isRecorded)
        entitlement.person = message.person
        return .success(entitlement)
    }
}
