// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import OAuth
import Primitives
package import ProviderCore
import ProviderTokens
package import Storage

/// The web hand-off: a person who is signed in to an app continues signed in in a browser, at a URL
/// that is registered for the client of the app. The app exchanges its access token for a URL of
/// the provider that works once, for one minute.
package struct WebHandoffService: Sendable {
    private let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// Lifetime of the URL in seconds.
    package static let lifetime: Int64 = 60
    /// Lifetime of the question in seconds. It is longer, because the person reads the question
    /// first.
    package static let answerLifetime: Int64 = 120

    // MARK: The app

    /// - Parameter target: the URL to which the browser is redirected: one of the client's
    ///   `web_handoff_uris`, with any query; `nil` if the request had none.
    package func open(
        _ accessToken: PresentedAccessToken?, to target: String?
    ) async throws -> Result<String, Refusal> {
        switch try await RegisteredAccount.open(accessToken, in: context) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let account):
            guard let target else {
                return .failure(
                    RegistrationErrorCode.missingInput.refusal(
                        "target is missing.", because: "target"))
            }
            return try await open(account, to: target)
        }
    }

    private func open(
        _ account: RegisteredAccount, to target: String
    ) async throws -> Result<String, Refusal> {
        let draft = AuditEventDraft(
            "web-handoff.opened", in: context.project, facts: context.facts,
            person: account.person.id, clientID: account.clientID)
        guard try await client(account.clientID, mayLeadTo: target) != nil else {
            return try await context.refuse(
                draft, .webTargetRefused, because: "not a target of the client")
        }
        let ticket = Ticket(
            person: account.person.id, grant: account.grant, clientID: account.clientID,
            target: target,
            factor: AuthenticationFactor(
                at: account.authenticatedAt ?? Timestamp(milliseconds: 0),
                methods: account.methods + [AuthenticationFactor.appMethod],
                contextClass: account.contextClass))
        let secret = context.provider.newSecret()
        try await context.store.challenges.issue(
            Challenge(
                hash: hash(secret), purpose: .webHandoff, project: context.project,
                payload: ticket.payload, expiresAt: context.now + .seconds(Self.lifetime)))
        try await context.provider.audit.record(draft)
        return .success("\(context.tenant.issuer)/handoff?token=\(secret)")
    }

    /// The client, if it may redirect to `target`. The URL without its query must equal a
    /// registered one byte by byte.
    private func client(
        _ clientID: String, mayLeadTo target: String
    ) async throws -> Client? {
        guard RedirectURI(target)?.host != nil,
            let client = try await context.provider.client(clientID, of: context.tenant),
            !client.disabled
        else { return nil }
        let address = String(target.prefix { $0 != "?" })
        let isRegistered = client.metadata.webHandoffURIs.contains { $0.hasSameBytes(as: address) }
        return isRegistered ? client : nil
    }

    // MARK: The browser

    /// A new session that a hand-off has created.
    package struct Entered: CeremonyChange {
        package let cookie: String
        package let target: String
        package let event: CeremonyEvent
    }

    /// The question whose account it is, for a browser without a session. The person confirms that
    /// the account is theirs.
    package struct AccountConfirmation: Sendable {
        package let person: Person
        package let client: Client
        package let target: String
        /// The secret that identifies the response. It is bound to this browser.
        package let secret: String
    }

    package enum Arrival: Sendable {
        case entered(Entered)
        case question(AccountConfirmation)
    }

    /// Consumes the URL.
    ///
    /// - If the same person is signed in in the browser, the hand-off succeeds.
    /// - If the browser has no session, the URL may come from another person. The hand-off is then
    ///   bound to this browser, and no session starts until the person has confirmed that the
    ///   account is theirs.
    /// - If another person is signed in in the browser, the hand-off is refused.
    ///
    /// - Parameters:
    ///   - browser: the session of the browser, if it has one.
    ///   - browserSecret: a secret that only this browser has.
    package func arrive(
        token: String, in browser: AuthenticatedSession?, _ browserSecret: [UInt8]
    ) async throws -> Result<Arrival, Refusal> {
        let ticket: Ticket
        switch try await self.ticket(hash(token), token) {
        case .success(let used): ticket = used
        case .failure(let declined):
            return try await finish(.failure(declined)).map(Arrival.entered)
        }
        guard browser == nil else {
            return try await finish(admit(ticket, in: browser)).map(Arrival.entered)
        }
        switch try await standing(ticket) {
        case .failure(let declined):
            return try await finish(.failure(declined)).map(Arrival.entered)
        case .success(let standing):
            return .success(.question(try await ask(standing, ticket, browserSecret)))
        }
    }

    /// - Parameters:
    ///   - secret: the secret of the ``AccountConfirmation``.
    ///   - isTheirs: the response of the person.
    package func answer(
        _ secret: String, isTheirs: Bool, in browser: AuthenticatedSession?,
        _ browserSecret: [UInt8]
    ) async throws -> Result<Entered, Refusal> {
        let found = try await ticket(hash(secret, browserSecret), secret)
        return try await finish(
            found.continued { ticket in
                isTheirs
                    ? try await admit(ticket, in: browser)
                    : .refused(
                        .webHandoffDeclined, because: "not the reader's account",
                        person: ticket.person)
            })
    }

    /// Records the audit event of every hand-off.
    private func finish(
        _ outcome: Result<Entered, CeremonyRefusal>
    ) async throws -> Result<Entered, Refusal> {
        try await context.finish("sign-in.web-handoff", outcome)
    }

    private func ask(
        _ standing: CurrentRecords, _ ticket: Ticket, _ browserSecret: [UInt8]
    ) async throws -> AccountConfirmation {
        let secret = context.provider.newSecret()
        try await context.store.challenges.issue(
            Challenge(
                hash: hash(secret, browserSecret), purpose: .webHandoff,
                project: context.project, payload: ticket.payload,
                expiresAt: context.now + .seconds(Self.answerLifetime)))
        try await context.provider.audit.record(
            AuditEventDraft(
                "web-handoff.asked", in: context.project, facts: context.facts,
                person: ticket.person, clientID: ticket.clientID))
        return AccountConfirmation(
            person: standing.person, client: standing.client, target: ticket.target,
            secret: secret)
    }

    private func ticket(
        _ hash: [UInt8], _ secret: String
    ) async throws -> Result<Ticket, CeremonyRefusal> {
        guard secret.utf8.count <= 64,
            let used = try await context.store.challenges.consumeChallenge(
                hash: hash, purpose: .webHandoff, in: context.project, now: context.now),
            let ticket = Ticket(payload: used.payload)
        else {
            return .refused(
                .webHandoffInvalid, because: "used, old or made up", isStranger: true)
        }
        return .success(ticket)
    }

    /// The current state of what a hand-off depends on.
    private struct CurrentRecords: Sendable {
        let person: Person
        let grant: Grant
        let client: Client
    }

    private func standing(_ ticket: Ticket) async throws -> Result<CurrentRecords, CeremonyRefusal>
    {
        guard let person = try await context.store.people.person(ticket.person), !person.disabled,
            person.project == context.project,
            let grant = try await context.store.grants.grant(ticket.grant), grant.revokedAt == nil,
            grant.expiresAt > context.now,
            let client = try await client(ticket.clientID, mayLeadTo: ticket.target)
        else {
            return .refused(
                .webHandoffInvalid, because: "signed out or withdrawn in the meantime",
                person: ticket.person)
        }
        let refusal = RegisteredClient(client).policy.refusal(
            of: person, contextClass: GrantedContext(grant).contextClass)
        if let refusal {
            return .failure(
                CeremonyRefusal(refusal, person: person.id, clientID: client.clientID))
        }
        return .success(CurrentRecords(person: person, grant: grant, client: client))
    }

    private func admit(
        _ ticket: Ticket, in browser: AuthenticatedSession?
    ) async throws -> Result<Entered, CeremonyRefusal> {
        let (person, grant): (Person, Grant)
        switch try await standing(ticket) {
        case .success(let standing): (person, grant) = (standing.person, standing.grant)
        case .failure(let declined): return .failure(declined)
        }
        guard browser == nil || browser?.person.id == person.id else {
            return .refused(
                .webHandoffOtherPerson, because: "browser of another person", person: person.id)
        }
        let started = try await SessionService(provider: context.provider).start(
            person: person, factor: ticket.factor, tenant: context.tenant, facts: context.facts,
            replacing: browser?.session, restsOn: grant.installation?.bytes)
        // A concurrent removal of the installation did not see the new session.
        guard try await context.store.grants.grant(grant.id)?.revokedAt == nil else {
            _ = try await context.store.sessions.end(
                session: started.0.session.id, of: person.id, now: context.now)
            return .refused(
                .webHandoffInvalid, because: "withdrawn in the same moment", person: person.id)
        }
        return .success(
            Entered(
                cookie: started.cookieValue, target: ticket.target,
                event: CeremonyEvent(person: person.id)))
    }

    /// - Parameter browserSecret: the browser that the secret is bound to. It is empty for the URL,
    ///   which is not bound to a browser.
    private func hash(_ secret: String, _ browserSecret: [UInt8] = []) -> [UInt8] {
        let bound = Array("web-handoff/\(secret)/".utf8) + browserSecret
        return context.provider.secrets.hash(bound, for: .challenge)
    }

    // MARK: Storage

    /// The stored data of a hand-off until the browser opens the URL.
    private struct Ticket: Sendable {
        let person: Identifier<Person>
        /// The grant of the app's token. If it ends, the ticket is invalid.
        let grant: Identifier<Grant>
        let clientID: String
        let target: String
        /// The authentication factor of the person in the app.
        let factor: AuthenticationFactor

        init(
            person: Identifier<Person>, grant: Identifier<Grant>, clientID: String,
            target: String, factor: AuthenticationFactor
        ) {
            self.person = person
            self.grant = grant
            self.clientID = clientID
            self.target = target
            self.factor = factor
        }

        var payload: String {
            var json = JSONWriter(capacity: 512)
            json.member("person", person.description)
            json.member("grant", grant.description)
            json.member("client_id", clientID)
            json.member("target", target)
            json.member("at", factor.at.milliseconds)
            json.member("methods", factor.methods)
            json.member("context", factor.contextClass)
            return String(decoding: json.finish(), as: UTF8.self)
        }

        init?(payload: String) {
            guard
                let object = try? JSONParser.parseObject(
                    Array(payload.utf8), maximumBytes: 16_384),
                let person = object["person"]?.string.flatMap({ Identifier<Person>($0) }),
                let grant = object["grant"]?.string.flatMap({ Identifier<Grant>($0) }),
                let clientID = object["client_id"]?.string,
                let target = object["target"]?.string, let at = object["at"]?.integer,
                let methods = object["methods"]?.strings,
                let contextClass = object["context"]?.string
            else { return nil }
            self.init(
                person: person, grant: grant, clientID: clientID, target: target,
                factor: AuthenticationFactor(
                    at: Timestamp(milliseconds: at), methods: methods,
                    contextClass: contextClass))
        }
    }
}
