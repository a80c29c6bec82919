// SPDX-License-Identifier: Apache-2.0
package import OAuth
import Primitives
package import ProviderCore
import Storage

/// Runs the seven phases of one token request with its grant.
package struct TokenGrantRunner: Sendable {
    private let provider: Provider
    private let presented: PresentedClient
    private let tenant: Tenant
    private let facts: RequestMetadata

    package init(
        _ provider: Provider, presented: PresentedClient, tenant: Tenant, facts: RequestMetadata
    ) {
        self.provider = provider
        self.presented = presented
        self.tenant = tenant
        self.facts = facts
    }

    package func run(
        _ grant: some TokenGrant
    ) async throws -> Result<TokenResponse, Refusal> {
        // 1. Identify the client.
        let client: RegisteredClient
        switch try await ClientAuthenticator(provider).identify(
            presented, of: tenant, facts: facts)
        {
        case .success(let found): client = found
        case .failure(let refusal):
            await countStranger(refusal, grant)
            return .failure(refusal)
        }
        var call = TokenRequestContext(
            provider: provider, tenant: tenant, facts: facts, client: client)
        switch prove(client) {
        case .success(let proven): call.proven = proven
        case .failure(let refusal):
            await countStranger(refusal, grant)
            return .failure(refusal)
        }
        switch try await earn(grant, call) {
        case .success(let entitlement):
            // 6. Issue.  7. Seal.
            let response = try await TokenIssuer(call).issue(entitlement).seal()
            try await recordEvent(grant, call, refusal: nil, entitlement)
            return .success(response)
        case .failure(let refusal):
            try await recordEvent(grant, call, refusal: refusal, nil)
            return .failure(refusal)
        }
    }

    /// Part of phase 1: verifies the key to which the tokens will be bound, if the request proves
    /// one.
    private func prove(
        _ client: RegisteredClient
    ) -> Result<DPoPVerifier.Proven?, Refusal> {
        let proof = DPoPVerifier(provider: provider, tenant: tenant, facts: facts)
        return proof.check().flatMap { proven in
            guard proven != nil || !client.client.metadata.bindsAccessTokens else {
                return .failure(DPoPVerifier.invalid("a client that always proves its key"))
            }
            return .success(proven)
        }
    }

    /// Phases 2 to 5.
    private func earn<Kind: TokenGrant>(
        _ grant: Kind, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        // 2. Verify the message.
        guard call.client.may(Kind.grantType) else { return .failure(Self.notRegistered) }
        switch try await grant.verify(call) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let message) where !Kind.isMatchedByMessage:
            return try await complete(grant, message, call)
        case .success(let message):
            if let refusal = try await call.useProof() { return .failure(refusal.matched) }
            return try await complete(grant, message, call).mapError(\.matched)
        }
    }

    /// Phases 3 to 5.
    private func complete<Kind: TokenGrant>(
        _ grant: Kind, _ message: Kind.Message, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        // 3. Consume.
        var entitlement: TokenIssuance
        switch try await grant.consume(message, call) {
        case .success(let earned): entitlement = earned
        case .failure(let refusal): return .failure(refusal)
        }
        // 4. Prove the person.
        if let refusal = try await grant.provePerson(&entitlement, call) {
            return .failure(refusal.matched)
        }
        // 5. Policy.
        if let refusal = try await call.policyRefusal(&entitlement) {
            return .failure(refusal.matched)
        }
        return grant.policy(entitlement, call).flatMap { entitlement in
            call.reasonToRefuse(entitlement.scope).map { .failure($0) } ?? .success(entitlement)
        }.mapError(\.matched)
    }

    private static let notRegistered = Refusal(
        ErrorCode.unauthorizedClient, "The client is not registered for this grant type.",
        reason: "grant type not registered")

    /// Records the audit event of every token request. Unauthenticated senders can send invented
    /// codes for a public client: of these refusals the first of a minute is recorded, and the
    /// others are aggregated.
    private func recordEvent<Kind: TokenGrant>(
        _ grant: Kind, _ call: TokenRequestContext, refusal: Refusal?, _ entitlement: TokenIssuance?
    ) async throws {
        // A poll that is too early, or before the person's decision, is not a result.
        if let code = refusal?.code,
            code == ErrorCode.authorizationPending || code == ErrorCode.slowDown
        {
            return
        }
        var draft = call.draft(
            Kind.action, refusal: refusal, person: entitlement?.grant?.person)
        if let details = refusal?.auditText { draft.details = details }
        if entitlement?.isRecorded == true || refusal?.isRecorded == true {
            provider.audit.wasRecorded(draft)
        } else if !Kind.concernsPerson {
            await provider.audit.count(draft)
        } else if let refusal, !refusal.isMatched {
            try await provider.audit.note(draft)
        } else {
            try await provider.audit.record(draft)
        }
    }

    /// The audit log aggregates refusals of unauthenticated senders, because their number is
    /// unbounded.
    private func countStranger<Kind: TokenGrant>(
        _ refusal: Refusal, _ grant: Kind
    ) async {
        await provider.audit.count(
            AuditEventDraft(
                Kind.action, in: tenant.project.id, facts: facts, code: refusal.code))
    }
}
