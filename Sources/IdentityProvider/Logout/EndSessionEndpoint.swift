// SPDX-License-Identifier: Apache-2.0
import Logging
import OAuth
import Primitives
import Storage

/// `/end_session`: OpenID Connect RP-Initiated Logout 1.0.
///
/// Only a genuine, fitting `id_token_hint` signs out without a question; everything else that a
/// cross-site link can carry asks the person first.
package struct EndSessionEndpoint: Sendable {
    private let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    /// A question stays open this long.
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
            // There is nothing to end; a client that proved itself gets its person back.
            return .signedOut(redirect: placeWithoutSession(request, tenant, facts))
        }
        if request.isProven, request.session == signedIn.session.id.description,
            request.subject == signedIn.person.id.description
        {
            return try await end(signedIn, redirect: place(request, tenant), tenant, facts)
        }
        return try await ask(request, signedIn, tenant, facts)
    }

    /// The question as it was put, while it is open.
    package func question(
        handle: String, tenant: Tenant, facts: RequestMetadata
    ) async throws -> SignOutConfirmation? {
        guard handle.utf8.count <= 64 else { return nil }
        let challenge = try await provider.store.peek(
            hash: hash(handle), purpose: .signOut, in: tenant.project.id, now: facts.now)
        return challenge.flatMap { SignOutConfirmation(payload: $0.payload) }
    }

    /// The person said yes and the session has ended: where to go then, once.
    ///
    /// - Parameter signedIn: whose session it was. The question was put to one session; the
    ///   answer of another one leads nowhere.
    package func finish(
        handle: String, tenant: Tenant, facts: RequestMetadata, signedIn: AuthenticatedSession?
    ) async throws -> String? {
        guard handle.utf8.count <= 64,
            let challenge = try await provider.store.consumeChallenge(
                hash: hash(handle), purpose: .signOut, in: tenant.project.id, now: facts.now),
            let question = SignOutConfirmation(payload: challenge.payload),
            signedIn == nil || question.session == signedIn?.session.id
        else { return nil }
        return question.target
    }

    /// The query of the sign-out page that says why the browser is not redirected to the client.
    package static let unregisteredAddress = "left=address"
    /// The same for a request without session and without hint.
    package static let missingHint = "left=hint"

    /// Where the browser goes afterwards: to the client, or to our page that says why not.
    private func place(_ request: EndSessionRequest, _ tenant: Tenant) -> String? {
        guard request.unregistered != nil else { return request.target }
        return tenant.pathPrefix + "/sign-out?" + Self.unregisteredAddress
    }

    /// Without a session and without a hint nothing says that the browser comes from the client, so
    /// it stays on our page, which says why.
    private func placeWithoutSession(
        _ request: EndSessionRequest, _ tenant: Tenant, _ facts: RequestMetadata
    ) -> String? {
        guard !request.isProven else { return place(request, tenant) }
        guard request.wantsRedirect else { return nil }
        log(
            Refusal(
                ErrorCode.invalidRequest, "",
                reason: "no redirect: nobody is signed in, and no id_token_hint was sent"),
            request.client?.clientID, facts)
        return tenant.pathPrefix + "/sign-out?" + Self.missingHint
    }

    /// A request whose parameters cannot be read.
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
        try await provider.store.issue(
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

/// What happens next.
package enum EndSessionStep: Sendable, Equatable {
    case page(Refusal)
    /// Ask the person; `handle` comes back with their yes.
    case confirm(handle: String, clientName: String?)
    /// The session is over (or there was none): clear the cookie, then go there or say so.
    case signedOut(redirect: String?)
}
