// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import ProviderCore
import ProviderPeople
import Storage

/// One evaluation of an authorization request: the rules, then the person, then the response.
struct AuthorizationEvaluation: Sendable {
    let provider: Provider
    let tenant: Tenant
    let facts: RequestMetadata
    let signedIn: AuthenticatedSession?
    let parameters: AuthorizationParameters
    /// `nil` for a new request.
    let waiting: WaitingAuthorization?

    /// - Parameter consenting: whether the person has just consented.
    func step(consenting: Bool = false) async throws -> AuthorizationStep {
        switch try await rules() {
        case .page(let refusal, let client): return try await refused(refusal, client)
        case .client(let refusal, let request): return try await answer(refusal, request)
        case .request(let request): return try await decide(request, consenting: consenting)
        }
    }

    /// Responds after the person has denied the consent.
    func deny() async throws -> AuthorizationStep {
        switch try await rules() {
        case .page(let refusal, let client): return try await refused(refusal, client)
        case .client(let refusal, let request): return try await answer(refusal, request)
        case .request(let request):
            let refusal = Refusal(
                ErrorCode.accessDenied, "The person said no.", reason: "consent denied")
            return try await answer(refusal, request)
        }
    }

    private func rules() async throws -> AuthorizationRules.Outcome {
        try await AuthorizationRules.apply(
            to: parameters, hinted: waiting?.pending.hintedSubject,
            RuleContext(provider: provider, tenant: tenant, now: facts.now))
    }

    private func decide(
        _ request: AuthorizationRequest, consenting: Bool
    ) async throws -> AuthorizationStep {
        if waiting == nil { request.requestedScope.logUnknown(request.client, in: provider, facts) }
        let verdict = InteractionDecision(
            request: request, signedIn: signedIn, pending: waiting?.pending,
            keys: try await keys(for: request), consented: try await consent(to: request),
            now: facts.now
        ).verdict
        // A request for a sign-in or another account comes before the access check.
        if !verdict.leavesPersonOpen, let signedIn,
            let refusal = request.client.policy.accessRefusal(of: signedIn.person)
        {
            return try await turnAway(signedIn.person, refusal, request)
        }
        switch verdict {
        case .needs(let need): return try wait(for: need, request)
        case .refuse(let refusal): return try await answer(refusal, request)
        case .satisfied(let claim):
            // Unreachable without a person: the verdict requires a sign-in first.
            guard let signedIn else { return .page(AuthorizationEndpoint.over) }
            return try await grant(request, to: signedIn, claim, consenting: consenting)
        }
    }

    /// Displays the contact and a link to another account. Each person is recorded once.
    private func turnAway(
        _ person: Person, _ refusal: Refusal, _ request: AuthorizationRequest
    ) async throws -> AuthorizationStep {
        if request.prompt.contains(.none) {
            return try await answer(refusal.asAccessDenied, request)
        }
        var pending = pending(request)
        if pending.refusedTo != person.id {
            try await record(refusal, request.client)
            (pending.refusedTo, pending.refusedIn) = (person.id, facts.requestID)
        }
        return try wait(for: .otherAccount(because: refusal), request, as: pending)
    }

    /// The person's keys, if they are relevant for the request.
    private func keys(for request: AuthorizationRequest) async throws -> PersonalKeys? {
        let policy = tenant.project.policy.webauthn
        guard let signedIn, policy.secondFactorBeforeFirstKey || !request.context.classes.isEmpty
        else { return nil }
        return PersonalKeys(
            try await provider.store.credentials.credentials(of: signedIn.person.id), policy: policy
        )
    }

    private func consent(to request: AuthorizationRequest) async throws -> ScopeSet? {
        guard let signedIn, !request.client.client.metadata.firstParty else { return nil }
        return try await provider.store.consents.consent(
            of: signedIn.person.id, for: request.client.client.id
        ).flatMap { ScopeSet($0.scope) }
    }

    private func grant(
        _ request: AuthorizationRequest, to signedIn: AuthenticatedSession,
        _ claim: AuthenticationClaim,
        consenting: Bool
    ) async throws -> AuthorizationStep {
        guard try await consumeHandle() else { return .page(AuthorizationEndpoint.over) }
        if consenting, waiting?.pending.consentedBy == signedIn.person.id {
            try await provider.store.consents.save(
                Consent(
                    project: tenant.project.id, person: signedIn.person.id,
                    client: request.client.client.id, scope: request.consentScope.text,
                    givenAt: facts.now))
        }
        let code = try await CodeIssuer(provider: provider, tenant: tenant, now: facts.now)
            .issue(for: request, to: signedIn, claim)
        try await record(nil, request.client)
        return .answer(
            AuthorizationResponse(
                code: code, state: request.state, issuer: tenant.issuer, to: request.redirectURI,
                mode: request.mode))
    }

    /// Consumes the handle. Of two windows with the same handle, one receives the response.
    private func consumeHandle() async throws -> Bool {
        guard let waiting else { return true }
        return try await provider.store.challenges.markUsed(
            waiting.pending.mark, expiresAt: waiting.pending.expiresAt)
    }

    /// - Parameter pending: the data, if this run has changed them.
    private func wait(
        for need: Interaction.Need, _ request: AuthorizationRequest,
        as pending: PendingAuthorization? = nil
    ) throws -> AuthorizationStep {
        let pending = pending ?? self.pending(request)
        return .interaction(
            Interaction(
                handle: try handle(pending), need: need, client: request.client,
                redirectURI: request.redirectURI,
                identityProvider: request.identityProvider, languages: request.languages,
                recordedAs: pending.refusedIn,
                requiredKeyClass: request.context.requiredKeyClass))
    }

    private func pending(_ request: AuthorizationRequest) -> PendingAuthorization {
        waiting?.pending
            ?? PendingAuthorization(
                id: provider.random.bytes(PendingAuthorization.idLength), parameters: parameters,
                startedAt: facts.now, hintedSubject: request.hintedSubject)
    }

    private func handle(_ pending: PendingAuthorization) throws -> String {
        if let waiting, waiting.carried == pending { return waiting.handle }
        return try pending.handle(in: provider, of: tenant)
    }

    private func answer(
        _ refusal: Refusal, _ request: AuthorizationRequest
    ) async throws -> AuthorizationStep {
        guard try await consumeHandle() else { return .page(AuthorizationEndpoint.over) }
        try await record(refusal, request.client)
        return .answer(
            AuthorizationResponse(
                error: refusal.code, description: refusal.message, state: request.state,
                issuer: tenant.issuer, to: request.redirectURI, mode: request.mode))
    }

    private func refused(
        _ refusal: Refusal, _ client: RegisteredClient?
    ) async throws -> AuthorizationStep {
        try await record(refusal, client)
        return .page(refusal)
    }

    /// A refusal of the request itself is an error of the client's developer. The log and the audit
    /// log contain it; an operator finds it by the request ID that the page displays. The audit log
    /// aggregates the other refusals without a session.
    private func record(_ refusal: Refusal?, _ client: RegisteredClient?) async throws {
        var draft = AuditEventDraft(
            "authorization", in: tenant.project.id, facts: facts, code: refusal?.code,
            person: signedIn?.person.id, clientID: client?.clientID)
        if let details = refusal?.auditDetails, !details.isEmpty {
            draft.details = AuditDetails.text(details)
        }
        let mistake = refusal.flatMap {
            AuthorizationRequestError($0, parameters: parameters, client: client)
        }
        if let mistake {
            draft.details = mistake.details
            mistake.log(in: provider, facts)
        }
        if signedIn != nil {
            try await provider.audit.record(draft)
        } else if mistake != nil {
            try await provider.audit.note(draft)
        } else {
            await provider.audit.count(draft)
        }
    }
}

extension Refusal {
    /// The refusal for the client (RFC 6749 section 4.1.2.1).
    var asAccessDenied: Refusal {
        var refusal = Refusal(
            ErrorCode.accessDenied, "The person may not use this client.", reason: reason)
        refusal.auditDetails = auditDetails
        return refusal
    }
}
