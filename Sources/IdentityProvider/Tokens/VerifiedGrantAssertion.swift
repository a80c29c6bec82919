// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import Storage

/// Somebody whose assertion is right. Only checks make it.
struct VerifiedGrantAssertion: Sendable {
    let person: Identifier<Person>
    /// RFC 8176.
    let methods: [String]
    let uses: [OneTimeUse]
    /// The key that has signed, when its use is to be noted.
    var credential: Identifier<Credential>?
    var installation: Identifier<Installation>?
    /// A key without its owner's verification is whoever's who found the device, and stands for
    /// one factor, as security keys do here.
    var contextClass = ContextClass.password
}

extension TokenRequestContext {
    /// The scopes that are asked for; all of the client's when none are.
    func scope(_ text: String?) -> Result<ScopeSet, Refusal> {
        guard let scope = text.map({ ScopeSet($0) }) ?? client.scope,
            scope.isSubset(of: client.scope)
        else {
            return .failure(
                Refusal(
                    ErrorCode.invalidScope, "Ask for scopes that the client is registered for.",
                    reason: "assertion with wider scope"))
        }
        if let refusal = reasonToRefuse(scope) { return .failure(refusal) }
        return .success(scope)
    }

    /// The scope `registration` is only given to whoever proves a key: a token that opens an
    /// account must not be of use to a thief of its letters (RFC 9449 section 1).
    func reasonToRefuse(_ scope: ScopeSet) -> Refusal? {
        guard scope.contains(RegisteredAccount.scope), confirmation == nil else { return nil }
        return Refusal(
            ErrorCode.invalidDPoPProof,
            "The scope registration is bound to a key: send a DPoP proof (RFC 9449), or leave the "
                + "scope out.", reason: "scope registration without a proven key")
    }

    /// Makes the grant of somebody who has just proven themselves: what may be used once, the grant
    /// and its audit event in one commit.
    ///
    /// - Parameter ofPerson: `false` where an installation speaks of itself: no sign-in of a person
    ///   is judged then.
    func give(
        _ proof: VerifiedGrantAssertion, _ scope: ScopeSet, _ action: String, ofPerson: Bool = true
    ) async throws -> Result<TokenIssuance, Refusal> {
        let refreshes = client.getsRefreshToken(for: scope)
        let grant = grant(proof, scope, refreshes: refreshes)
        // Before anything is used up or written. The phase of policy asks once more, of the same
        // record.
        var person: Person?
        if client.policy.isRestricted {
            person = try await provider.store.person(grant.person)
            if let refusal = person.flatMap({
                client.policy.refusal(of: $0, contextClass: ofPerson ? grant.contextClass : nil)
            }) {
                return .failure(Self.refusal(of: refusal))
            }
        }
        let event = provider.audit.prepare(draft(action, person: grant.person))
        switch try await provider.store.grant(
            grant, using: proof.uses, credential: proof.credential, recording: event)
        {
        case .granted:
            var entitlement = TokenIssuance(
                grant: grant, scope: scope,
                refreshGeneration: refreshes ? grant.generation : nil, isRecorded: true)
            entitlement.person = person
            return .success(entitlement)
        case .used: return .failure(.invalidGrant("the nonce or token was used before"))
        case .notStanding:
            return .failure(.invalidGrant("person, client or installation is disabled or gone"))
        }
    }

    private func grant(_ proof: VerifiedGrantAssertion, _ scope: ScopeSet, refreshes: Bool) -> Grant
    {
        let now = facts.now
        return Grant(
            id: Identifier(now: now, random: provider.random), project: tenant.project.id,
            client: client.client.id, person: proof.person, session: nil,
            installation: proof.installation, scope: scope.text,
            authenticationMethods: proof.methods.joined(separator: " "), authenticatedAt: now,
            contextClass: proof.contextClass.rawValue, generation: refreshes ? 1 : 0,
            rotatedAt: now, createdAt: now,
            expiresAt: now + tenant.grantLifetime(refreshes: refreshes))
    }
}
