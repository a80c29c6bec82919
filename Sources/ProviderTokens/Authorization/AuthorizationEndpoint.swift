// SPDX-License-Identifier: Apache-2.0
package import ProviderCore
import Storage

/// `/authorize`: RFC 6749 section 3.1, OpenID Connect Core section 3.1.2. It leads from a request
/// to a response, with interactions of the person in between.
package struct AuthorizationEndpoint: Sendable {
    let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    /// Starts with a new request.
    package func begin(
        parameters: [String: String], tenant: Tenant, facts: RequestMetadata,
        signedIn: AuthenticatedSession?
    ) async throws -> AuthorizationStep {
        try await AuthorizationEvaluation(
            provider: provider, tenant: tenant, facts: facts, signedIn: signedIn,
            parameters: AuthorizationParameters(parameters), waiting: nil
        ).step()
    }

    /// Resumes a request after the person has signed in.
    package func resume(
        handle: String, tenant: Tenant, facts: RequestMetadata, signedIn: AuthenticatedSession?
    ) async throws -> AuthorizationStep {
        try await evaluatePending(handle, tenant, facts, signedIn) { _ in }
    }

    /// Resumes a request with the person's decision on the consent.
    package func decideConsent(
        handle: String, allow: Bool, tenant: Tenant, facts: RequestMetadata,
        signedIn: AuthenticatedSession?
    ) async throws -> AuthorizationStep {
        try await evaluatePending(handle, tenant, facts, signedIn) { pending in
            if allow { pending.consentedBy = signedIn?.person.id }
        } then: { run in
            try await allow ? run.step(consenting: true) : run.deny()
        }
    }

    /// Resumes a request of a person who has no key available. If the client requires the key, the
    /// request is refused; otherwise it continues without.
    package func declineStepUp(
        handle: String, tenant: Tenant, facts: RequestMetadata, signedIn: AuthenticatedSession?
    ) async throws -> AuthorizationStep {
        try await evaluatePending(handle, tenant, facts, signedIn) {
            $0.wentOnWithoutKey = signedIn?.person.id
        }
    }

    /// Resumes a request with the account that is signed in (`prompt=select_account`).
    package func chooseCurrent(
        handle: String, tenant: Tenant, facts: RequestMetadata, signedIn: AuthenticatedSession?
    ) async throws -> AuthorizationStep {
        try await evaluatePending(handle, tenant, facts, signedIn) {
            $0.chosenBy = signedIn?.person.id
        }
    }

    /// Reads the pending request, applies `note` and evaluates it.
    private func evaluatePending(
        _ handle: String, _ tenant: Tenant, _ facts: RequestMetadata,
        _ signedIn: AuthenticatedSession?,
        noting note: (inout PendingAuthorization) -> Void,
        then step: (AuthorizationEvaluation) async throws -> AuthorizationStep = {
            try await $0.step()
        }
    ) async throws -> AuthorizationStep {
        guard var waiting = try await find(handle, tenant, facts) else { return .page(Self.over) }
        note(&waiting.pending)
        return try await step(
            AuthorizationEvaluation(
                provider: provider, tenant: tenant, facts: facts, signedIn: signedIn,
                parameters: waiting.pending.parameters, waiting: waiting))
    }

    private func find(
        _ handle: String, _ tenant: Tenant, _ facts: RequestMetadata
    ) async throws -> WaitingAuthorization? {
        guard
            let pending = PendingAuthorization(
                handle: handle, in: provider, of: tenant, now: facts.now),
            try await !provider.store.challenges.isUsed(pending.mark)
        else { return nil }
        return WaitingAuthorization(handle: handle, carried: pending, pending: pending)
    }

    static let over = Refusal(
        "request_expired",
        "This sign-in is expired or was finished in another window. Go back to the application "
            + "and start again.", reason: "unknown handle")
}

/// A pending authorization and the handle that it came in.
struct WaitingAuthorization: Sendable {
    let handle: String
    /// The data of the handle.
    let carried: PendingAuthorization
    /// The data after this request.
    var pending: PendingAuthorization
}
