// SPDX-License-Identifier: Apache-2.0
package import OAuth
import Primitives
package import ProviderCore
import Storage

/// Device authorization, RFC 8628: `POST /device_authorization`, and the decisions of the page
/// `/device`.
package struct DeviceAuthorizationEndpoint: Sendable {
    let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    /// Maximum number of wrong user codes of one person in ten minutes. The limit of an IP address
    /// is three times as high.
    package static let guesses = 10
    private static let window = TimeSpan.minutes(10)

    // MARK: The person

    /// Returns the request of a user code, so that the page can display the client and its scope.
    /// Unknown codes count as failed attempts.
    package func lookup(
        userCode: String, tenant: Tenant, facts: RequestMetadata, signedIn: AuthenticatedSession?
    ) async throws -> Result<DeviceConsent, Refusal> {
        let code = UserCode.normalize(userCode)
        let outcome = try await provider.store.grants.deviceAuthorization(
            userCodeHash: hash(code ?? "", of: tenant), of: tenant.project.id,
            within: budgets(facts, signedIn), window: Self.window, now: facts.now)
        guard case .found(let found) = outcome, let code,
            let client = try await provider.store.clients.client(found.client)
        else { return .failure(Self.refusal(of: outcome, facts.now)) }
        return .success(
            DeviceConsent(
                userCode: code, client: RegisteredClient(client),
                scope: ScopeSet(found.scope) ?? ScopeSet(), device: found.device))
    }

    /// Records the decision of the person, who has seen the client and its scope.
    package func decide(
        userCode: String, allow: Bool, tenant: Tenant, facts: RequestMetadata,
        signedIn: AuthenticatedSession
    ) async throws -> Result<DeviceConsent, Refusal> {
        let found = try await lookup(
            userCode: userCode, tenant: tenant, facts: facts, signedIn: signedIn)
        let outcome = try await found.continued {
            try await apply($0, allow, tenant, facts, signedIn)
        }
        var draft = AuditEventDraft(
            "device.decided", in: tenant.project.id, facts: facts,
            code: allow ? nil : ErrorCode.accessDenied, person: signedIn.person.id,
            clientID: (try? found.get())?.client.clientID)
        if case .failure(let refusal) = outcome {
            draft.code = refusal.code
            if let details = refusal.auditText { draft.details = details }
        }
        // The number of refusals after the limit is unbounded.
        try await provider.audit.record(draft, draft.code == Self.limitCode ? .counted : .due)
        return outcome
    }

    private func apply(
        _ consent: DeviceConsent, _ allow: Bool, _ tenant: Tenant, _ facts: RequestMetadata,
        _ signedIn: AuthenticatedSession
    ) async throws -> Result<DeviceConsent, Refusal> {
        if allow, let refusal = try await refusal(of: signedIn, by: consent.client, tenant) {
            if !refusal.canStepUp {
                // The device receives the refusal at its next poll, and does not wait until the
                // code expires.
                _ = try await provider.store.grants.decideDeviceAuthorization(
                    userCodeHash: hash(consent.userCode, of: tenant), grant: nil, now: facts.now)
            }
            return .failure(refusal)
        }
        let isDecided = try await provider.store.grants.decideDeviceAuthorization(
            userCodeHash: hash(consent.userCode, of: tenant),
            grant: allow ? grant(consent, tenant, facts, signedIn) : nil, now: facts.now)
        guard isDecided else { return .failure(Self.unknownCode) }
        try await provider.store.attempts.clearAttempts(bucket: bucket(signedIn))
        return .success(consent)
    }

    private func grant(
        _ consent: DeviceConsent, _ tenant: Tenant, _ facts: RequestMetadata,
        _ signedIn: AuthenticatedSession
    ) -> Grant {
        let refreshes = consent.client.getsRefreshToken(for: consent.scope)
        let lifetime = tenant.grantLifetime(refreshes: refreshes)
        let claim = AuthenticationAssurance(signedIn.session).claim()
        return Grant(
            id: Identifier(now: facts.now, random: provider.random), project: tenant.project.id,
            client: consent.client.client.id, person: signedIn.person.id,
            // The device is another computer: its grant does not end with the session of this
            // browser.
            session: nil, scope: consent.scope.text,
            authenticationMethods: claim?.methods.joined(separator: " ") ?? "",
            authenticatedAt: claim?.at ?? signedIn.session.authenticatedAt,
            contextClass: claim?.contextClass.rawValue ?? "", rotatedAt: facts.now,
            createdAt: facts.now,
            expiresAt: facts.now + lifetime + .seconds(tenant.project.policy.deviceCodeLifetime))
    }

    // MARK: Attempt limits

    private func budgets(
        _ facts: RequestMetadata, _ signedIn: AuthenticatedSession?
    ) -> [AttemptBudget] {
        let network = AttemptCounter.network(of: facts.address)
        let address = provider.secrets.hash("device/address/\(network)".utf8, for: .attempts)
        return [AttemptBudget(bucket: address, limit: Self.guesses * 3)]
            + (signedIn.map { [AttemptBudget(bucket: bucket($0), limit: Self.guesses)] } ?? [])
    }

    private static func refusal(of outcome: UserCodeOutcome, _ now: Timestamp) -> Refusal {
        guard case .limited(let end) = outcome else { return unknownCode }
        return Refusal(
            limitCode, "Too many codes were tried. Please wait a while.",
            reason: "user code guesses", retryAfter: max(1, (end - now).seconds))
    }

    private func bucket(_ signedIn: AuthenticatedSession) -> [UInt8] {
        provider.secrets.hash(
            Array("device/person/".utf8) + signedIn.person.id.bytes, for: .attempts)
    }

    func hash(_ userCode: String, of tenant: Tenant) -> [UInt8] {
        provider.secrets.hash(
            tenant.project.id.bytes + Array(userCode.utf8), for: .userCode)
    }

    private static let limitCode = UserFacingRefusal.tooManyAttempts.rawValue

    private static let unknownCode = Refusal(
        "unknown_code", "This code is not known, or it is too old. Look at the device again.",
        reason: "no pending device authorization")
}

/// The request of a user code.
package struct DeviceConsent: Sendable {
    /// Eight characters, without the hyphen.
    package let userCode: String
    package let client: RegisteredClient
    package let scope: ScopeSet
    /// The device's description of itself; empty if it sent none.
    package let device: String

    /// Whether the device registers devices or keys, which requires a fresh sign-in
    /// (``DeviceRegistrationEvidence``).
    package var needsFreshSignIn: Bool { scope.contains(ProviderScope.platformSSO) }
}
