// SPDX-License-Identifier: Apache-2.0
package import OAuth
package import Primitives
package import ProviderCore
package import Storage

/// The person of a verified assertion. Only verifiers create it.
package struct VerifiedGrantAssertion: Sendable {
    package let person: Identifier<Person>
    /// RFC 8176.
    package let methods: [String]
    package let uses: [OneTimeUse]
    /// The key that has signed, if its use must be saved.
    package var credential: Identifier<Credential>?
    package var installation: Identifier<Installation>?
    /// The default is a single factor: a key without user verification could be used by a person
    /// who found the device.
    package var contextClass = ContextClass.password

    package init(
        person: Identifier<Person>, methods: [String], uses: [OneTimeUse],
        credential: Identifier<Credential>? = nil, installation: Identifier<Installation>? = nil,
        contextClass: ContextClass = ContextClass.password
    ) {
        self.person = person
        self.methods = methods
        self.uses = uses
        self.credential = credential
        self.installation = installation
        self.contextClass = contextClass
    }
}

extension TokenRequestContext {
    /// The requested scopes, or all scopes of the client if the request has none.
    package func scope(_ text: String?) -> Result<ScopeSet, Refusal> {
        guard let scope = text.map({ ScopeSet($0) }) ?? client.scope,
            scope.isSubset(of: client.scope)
        else {
            return .failure(
                Refusal(
                    ErrorCode.invalidScope, "Request scopes that the client is registered for.",
                    reason: "assertion with wider scope"))
        }
        if let refusal = reasonToRefuse(scope) { return .failure(refusal) }
        return .success(scope)
    }

    /// The scope `registration` requires a proven key: an access token with access to an account
    /// must be useless for an attacker who copies it (RFC 9449 section 1).
    func reasonToRefuse(_ scope: ScopeSet) -> Refusal? {
        guard scope.contains(ProviderScope.registration), confirmation == nil else { return nil }
        return Refusal(
            ErrorCode.invalidDPoPProof,
            "The scope registration is bound to a key: send a DPoP proof (RFC 9449), or leave the "
                + "scope out.", reason: "scope registration without a proven key")
    }

    /// Creates the grant of a verified assertion. Consumes the one-time identifiers and saves the
    /// grant and its audit event in one transaction.
    ///
    /// - Parameter ofPerson: `false` for an installation that authenticates itself: then the class
    ///   of the sign-in is not checked.
    package func issueGrant(
        _ proof: VerifiedGrantAssertion, _ scope: ScopeSet, _ action: String, ofPerson: Bool = true
    ) async throws -> Result<TokenIssuance, Refusal> {
        let refreshes = client.getsRefreshToken(for: scope)
        let grant = grant(proof, scope, refreshes: refreshes)
        // Checked before a change of the store. The policy phase checks the same record again.
        var person: Person?
        if client.policy.isRestricted {
            person = try await provider.store.people.person(grant.person)
            if let refusal = person.flatMap({
                client.policy.refusal(of: $0, contextClass: ofPerson ? grant.contextClass : nil)
            }) {
                return .failure(Self.refusal(of: refusal))
            }
        }
        let event = provider.audit.prepare(draft(action, person: grant.person))
        switch try await provider.store.installations.grant(
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
