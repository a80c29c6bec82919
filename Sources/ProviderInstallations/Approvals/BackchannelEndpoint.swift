// SPDX-License-Identifier: Apache-2.0
import JOSE
package import OAuth
import Primitives
package import ProviderCore
import ProviderPeople
import ProviderTokens
import Storage

/// `POST /bc-authorize`: a client requests an approval of a person in an app (OpenID Connect CIBA
/// Core 1.0 section 7, poll mode).
package struct BackchannelEndpoint: Sendable {
    let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    /// Maximum number of requests of one client for one person in ``window``. The limit protects
    /// against approval fatigue.
    package static let maximumRequests = 10
    private static let window = TimeSpan.minutes(10)
    /// Seconds between two polls.
    private static let interval: Int64 = 5
    /// Bounds of the lifetime in seconds. They also apply to a `requested_expiry`.
    private static let expiries: ClosedRange<Int64> = 30...3600

    /// One request whose client is known.
    struct Call {
        let request: BackchannelRequest
        let client: RegisteredClient
        let tenant: Tenant
        let facts: RequestMetadata
        /// Whether an administrator sends the request as a trial.
        var isTrial = false
    }

    package func begin(
        _ request: BackchannelRequest, from presented: PresentedClient, tenant: Tenant,
        facts: RequestMetadata
    ) async throws -> Result<BackchannelResponse, Refusal> {
        let client: RegisteredClient
        switch try await ClientAuthenticator(provider).identify(
            presented, of: tenant, facts: facts)
        {
        case .success(let found): client = found
        case .failure(let refusal): return .failure(refusal)
        }
        let call = Call(request: request, client: client, tenant: tenant, facts: facts)
        let outcome = try await start(call)
        if case .failure(let declined) = outcome { try await record(declined, call) }
        return outcome.mapError(\.refusal)
    }

    private func start(_ call: Call) async throws -> Result<BackchannelResponse, CeremonyRefusal> {
        // A public client does not authenticate, so the sender is unauthenticated.
        if let refusal = policy(call) {
            return .failure(CeremonyRefusal(refusal, isStranger: call.client.isPublic))
        }
        guard let scope = scope(call) else {
            return .failure(
                CeremonyRefusal(
                    Refusal(
                        ErrorCode.invalidScope, "Request openid, and scopes of the client.",
                        reason: "scope")))
        }
        guard call.request.hint != .code else {
            return .success(try await make(call, scope, asking: nil).response)
        }
        return try await person(call).continued { person in
            if let declined = try await count(call, person) { return .failure(declined) }
            return .success(try await make(call, scope, asking: person).response)
        }
    }

    private func record(_ declined: CeremonyRefusal, _ call: Call) async throws {
        var draft = draft(call, code: declined.refusal.code, person: declined.person)
        if let details = declined.refusal.auditText { draft.details = details }
        try await provider.audit.record(draft, declined.recording)
    }

    func policy(_ call: Call) -> Refusal? {
        guard call.client.may(TokenRequest.backchannelGrantType), !call.client.isPublic else {
            return Refusal(
                ErrorCode.unauthorizedClient,
                "The client is not registered for backchannel authentication.",
                reason: "grant type, or a client without a secret")
        }
        guard call.tenant.project.policy.registration.approvals.enabled else {
            return Refusal(
                ErrorCode.accessDenied, "This project does not offer approvals in apps.",
                reason: "approvals are off")
        }
        return nil
    }

    /// Section 7.1: `openid` is required. The prompt does not list scopes, so only first-party
    /// clients, which need no consent, may request others.
    private func scope(_ call: Call) -> ScopeSet? {
        guard let asked = ScopeSet(call.request.scope), asked.contains("openid"),
            asked.isSubset(of: call.client.scope),
            asked.text == "openid" || call.client.client.metadata.firstParty
        else { return nil }
        return asked
    }

    // MARK: The person

    /// The same refusal for all persons who cannot be asked, so that a client cannot probe for
    /// usernames. The reason is only in the audit log.
    static func nobody(because reason: String, _ person: Person? = nil) -> CeremonyRefusal {
        var refusal = Refusal(
            ErrorCode.unknownUserID,
            "No person of that name has an app that receives approval requests.",
            reason: reason)
        refusal.auditDetails = ["reason": reason]
        return CeremonyRefusal(refusal, person: person?.id)
    }

    func person(_ call: Call) async throws -> Result<Person, CeremonyRefusal> {
        guard let found = try await named(call), found.project == call.tenant.project.id else {
            return .failure(Self.nobody(because: "no such person"))
        }
        guard !found.disabled else {
            return .failure(Self.nobody(because: "the person is disabled", found))
        }
        if let refusal = call.client.policy.accessRefusal(of: found) {
            return .failure(Self.nobody(because: refusal.reason, found))
        }
        guard try await !provider.store.approvals.approvalEnrollments(of: found.id).isEmpty else {
            return .failure(
                Self.nobody(because: "none of their installations is enrolled", found))
        }
        return .success(found)
    }

    private func named(_ call: Call) async throws -> Person? {
        switch call.request.hint {
        case .login(let name):
            if let id = Identifier<Person>(name) {
                return try await provider.store.people.person(id)
            }
            return try await PersonLookup(provider.store.people, call.tenant.project.id)
                .person(calling: name)
        case .idToken(let text):
            guard
                let hint = try await IDTokenHint.read(
                    text, tenant: call.tenant, provider: provider, now: call.facts.now),
                hint.clientID.hasSameBytes(as: call.client.clientID),
                let id = Identifier<Person>(hint.subject)
            else { return nil }
            return try await provider.store.people.person(id)
        case .code: return nil
        }
    }

    func count(_ call: Call, _ person: Person) async throws -> CeremonyRefusal? {
        let bucket = provider.secrets.hash(
            Array("approval/".utf8) + call.client.client.id.bytes + person.id.bytes,
            for: .attempts)
        let verdict = try await provider.store.attempts.recordAttempt(
            bucket: bucket, limit: Self.maximumRequests, window: Self.window, now: call.facts.now)
        guard case .refused(let until) = verdict else { return nil }
        return CeremonyRefusal(
            Refusal(
                "too_many_attempts", "This person was asked too often. Please wait a while.",
                reason: "approvals of one client for one person",
                retryAfter: max(1, (until - call.facts.now).seconds)),
            person: person.id, isStranger: true)
    }

    // MARK: Creation

    /// Saves an approval. Returns it and the response for the client.
    func make(
        _ call: Call, _ scope: ScopeSet, asking person: Person?
    ) async throws -> (approval: Approval, response: BackchannelResponse) {
        let requestID = provider.newSecret()
        let code = person == nil ? UserCode.make(random: provider.random) : nil
        let rules = call.tenant.project.policy.registration.approvals
        let lifetime = min(
            max(call.request.expiry ?? rules.expiresIn, Self.expiries.lowerBound),
            Self.expiries.upperBound)
        let approval = Approval(
            id: Identifier(now: call.facts.now, random: provider.random),
            project: call.tenant.project.id, client: call.client.client.id,
            requestHash: provider.secrets.hash(requestID.utf8, for: .approval),
            codeHash: code.map {
                ApprovalAccount.hash(ofCode: $0, of: call.tenant, in: provider)
            }, person: person?.id, scope: scope.text, message: call.request.message,
            transaction: call.request.transaction, nonce: provider.random.bytes(32),
            interval: Self.interval, createdAt: call.facts.now,
            expiresAt: call.facts.now + .seconds(lifetime))
        let draft = draft(call, code: nil, person: person?.id, approval.id)
        try await provider.store.approvals.save(approval, recording: provider.audit.prepare(draft))
        provider.audit.wasRecorded(draft)
        if let person { try await notify(person, of: approval, in: call.tenant) }
        let shown = code.map { UserCode.display($0) }
        let response = BackchannelResponse(
            requestID: requestID, expiresIn: lifetime, interval: Self.interval,
            approvalCode: shown,
            approvalURI: rules.appURL.isEmpty
                ? nil : shown.map { "\(rules.appURL)?approval_code=\($0)" })
        return (approval, response)
    }

    private func notify(
        _ person: Person, of approval: Approval, in tenant: Tenant
    ) async throws {
        let targets = try await provider.store.approvals.approvalEnrollments(of: person.id)
            .compactMap {
                enrollment in
                ApprovalAccount.pushToken(of: enrollment, in: provider).map {
                    PushNotification.Target(installation: enrollment.installation, token: $0)
                }
            }
        guard !targets.isEmpty else { return }
        await (provider.push ?? WebhookPushSender()).send(
            PushNotification(
                approval: approval.id, person: person.id, targets: targets,
                expiresAt: approval.expiresAt), for: tenant, of: provider)
    }

    private func draft(
        _ call: Call, code: String?, person: Identifier<Person>?,
        _ approval: Identifier<Approval>? = nil
    ) -> AuditEventDraft {
        var details: [String: String] = [:]
        details["approval"] = approval?.description
        if call.isTrial { details["trial"] = "yes" }
        return AuditEventDraft(
            "approval.requested", in: call.tenant.project.id, facts: call.facts, code: code,
            person: person, clientID: call.client.clientID,
            details: AuditDetails.text(details))
    }
}
