// SPDX-License-Identifier: Apache-2.0
import Logging
import OAuth
import Primitives
package import ProviderCore
import Storage

/// `/end_session`: OpenID Connect RP-Initiated Logout 1.0.
///
/// Only a valid `id_token_hint` that matches the session signs out without confirmation. All other
/// requests require a confirmation by the person, because a cross-site link can cause them.
package struct EndSessionEndpoint: Sendable {
    private let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    /// Lifetime of a confirmation.
    private static let patience = TimeSpan.minutes(15)

    package func begin(
        parameters: [String: String], tenant: Tenant, facts: RequestMetadata,
        signedIn: AuthenticatedSession?
    ) async throws -> EndSessionStep {
        let request: EndSessionRequest
        switch try await EndSessionRequest.read(
            parameters, tenant: tenant, provider: provider, now: facts.now)
        {
        case .success(let read): request = read
        case .failure(let refusal):
            log(refusal, parameters["client_id"], facts)
            return .page(refusal)
        }
        if let address = request.unregistered { log(address, of: request.client, facts) }
        guard let signedIn else {
            // There is no session to end. With a valid hint, the browser is redirected to the
            // client.
            return .signedOut(redirect: placeWithoutSession(request, tenant, facts))
        }
        if request.isProven, request.session == signedIn.session.id.description,
            request.subject == signedIn.person.id.description
        {
            return try await end(signedIn, redirect: place(request, tenant), tenant, facts)
        }
        return try await ask(request, signedIn, tenant, facts)
    }

    /// Returns the confirmation, unless it has expired or was consumed.
    package func question(
        handle: String, tenant: Tenant, facts: RequestMetadata
    ) async throws -> SignOutConfirmation? {
        guard handle.utf8.count <= 64 else { return nil }
        let challenge = try await provider.store.challenges.peek(
            hash: hash(handle), purpose: .signOut, in: tenant.project.id, now: facts.now)
        return challenge.flatMap { SignOutConfirmation(payload: $0.payload) }
    }

    /// Consumes the confirmation after the session has ended. Returns the URL to redirect to.
    ///
    /// - Parameter signedIn: the session that ended. The confirmation is bound to one session; for
    ///   another one the result is `nil`.
    package func finish(
        handle: String, tenant: Tenant, facts: RequestMetadata, signedIn: AuthenticatedSession?
    ) async throws -> String? {
        guard handle.utf8.count <= 64,
            let challenge = try await provider.store.challenges.consumeChallenge(
                hash: hash(handle), purpose: .signOut, in: tenant.project.id, now: facts.now),
            let question = SignOutConfirmation(payload: challenge.payload),
            signedIn == nil || question.session == signedIn?.session.id
        else { return nil }
        return question.target
    }

    /// The query of the sign-out page that states why the browser is not redirected to the client.
    package static let unregisteredAddress = "left=address"
    /// The same for a request without a session and without a hint.
    package static let missingHint = "left=hint"

    /// The redirect URL: the client, or the page of the provider that states why it is not the
    /// client.
    private func place(_ request: EndSessionRequest, _ tenant: Tenant) -> String? {
        guard request.unregistered != nil else { return request.target }
        return tenant.pathPrefix + "/sign-out?" + Self.unregisteredAddress
    }

    /// The redirect URL without a session. Without a hint, nothing proves that the request comes
    /// from the client, so the page of the provider is displayed with the reason.
    private func placeWithoutSession(
        _ request: EndSessionRequest, _ tenant: Tenant, _ facts: RequestMetadata
    ) -> String? {
        guard !request.isProven else { return place(request, tenant) }
        guard request.wantsRedirect else { return nil }
        log(
            Refusal(
                ErrorCode.invalidRequest, "",
                reason: "no redirect: no active session, and no id_token_hint was sent"),
            request.client?.clientID, facts)
        return tenant.pathPrefix + "/sign-out?" + Self.missingHint
    }

    /// Refuses a request whose parameters cannot be parsed.
    package func refuse(unreadable reason: String, facts: RequestMetadata) -> Refusal {
        let refusal = Refusal(ErrorCode.invalidRequest, reason, reason: reason)
        log(refusal, nil, facts)
        return refusal
    }

    private func log(_ refusal: Refusal, _ clientID: String?, _ facts: RequestMetadata) {
        provider.log.info(
            "end-session request refused",
            metadata: [
                "code": "\(refusal.code)", "reason": "\(refusal.reason)",
                "client_id": "\(clientID.map { LogText.bounded($0) } ?? "-")",
                "request_id": "\(facts.requestID)",
            ])
    }

    private func log(_ address: String, of client: RegisteredClient?, _ facts: RequestMetadata) {
        let registered = client?.client.metadata.postLogoutRedirectURIs.prefix(10) ?? []
        provider.log.info(
            "post-logout address is not registered",
            metadata: [
                "client_id": "\(client?.clientID ?? "-")",
                "post_logout_redirect_uri": "\(LogText.bounded(address, 512))",
                "registered": "\(registered.joined(separator: " "))",
                "request_id": "\(facts.requestID)",
            ])
    }

    private func hash(_ handle: String) -> [UInt8] {
        provider.secrets.hash(handle.utf8, for: .challenge)
    }

    private func ask(
        _ request: EndSessionRequest, _ signedIn: AuthenticatedSession, _ tenant: Tenant,
        _ facts: RequestMetadata
    ) async throws -> EndSessionStep {
        let handle = provider.newSecret()
        let question = SignOutConfirmation(
            session: signedIn.session.id, target: place(request, tenant),
            clientName: request.client?.displayName)
        try await provider.store.challenges.issue(
            Challenge(
                hash: hash(handle), purpose: .signOut, project: tenant.project.id,
                payload: question.payload,
                expiresAt: facts.now + Self.patience))
        return .confirm(handle: handle, clientName: request.client?.displayName)
    }

    private func end(
        _ signedIn: AuthenticatedSession, redirect: String?, _ tenant: Tenant,
        _ facts: RequestMetadata
    ) async throws -> EndSessionStep {
        try await SessionService(provider: provider).end(signedIn, tenant: tenant, facts: facts)
        return .signedOut(redirect: redirect)
    }
}

/// The next step of a sign-out.
package enum EndSessionStep: Sendable, Equatable {
    case page(Refusal)
    /// Confirm with the person; the page sends `handle` with the confirmation.
    case confirm(handle: String, clientName: String?)
    /// The session has ended, or there was none: clear the cookie, then redirect or display the
    /// result.
    case signedOut(redirect: String?)
}
