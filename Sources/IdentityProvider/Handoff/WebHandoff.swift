// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import OAuth
import Primitives
package import Storage

/// From an app to the web: somebody who is signed in in an app is let into a browser, at one of the
/// addresses that are registered for the app's client. What the app holds is exchanged for an
/// address of ours that works once, for a minute.
package struct WebHandoff: Sendable {
    private let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// Seconds.
    package static let lifetime: Int64 = 60

    // MARK: The app

    /// - Parameter target: where the browser shall end up: one of the client's
    ///   `web_handoff_uris`, with whatever query.
    package func open(
        _ accessToken: PresentedAccessToken?, to target: String
    ) async throws -> Result<String, Refusal> {
        switch try await RegisteredAccount.open(accessToken, in: context) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let account): return try await open(account, to: target)
        }
    }

    private func open(
        _ account: RegisteredAccount, to target: String
    ) async throws -> Result<String, Refusal> {
        let draft = AuditDraft(
            "web-handoff.opened", in: context.project, facts: context.facts,
            person: account.person.id, clientID: account.clientID)
        guard try await isRegistered(target, for: account.clientID) else {
            var refused = draft
            refused.code = RegistrationCode.webTargetRefused.rawValue
            try await context.provider.audit.record(refused)
            return .failure(
                RegistrationCode.webTargetRefused.refusal(because: "not a target of the client"))
        }
        let ticket = Ticket(
            person: account.person.id, grant: account.grant, clientID: account.clientID,
            target: target,
            factor: AuthenticationFactor(
                at: account.authenticatedAt ?? Timestamp(milliseconds: 0),
                methods: account.methods + [AuthenticationFactor.appMethod],
                contextClass: account.contextClass))
        let secret = context.provider.newSecret()
        try await context.store.issue(
            Challenge(
                hash: hash(secret), purpose: .webHandoff, project: context.project,
                payload: ticket.payload, expiresAt: context.now + .seconds(Self.lifetime)))
        try await context.provider.audit.record(draft)
        return .success("\(context.tenant.issuer)/handoff?token=\(secret)")
    }

    /// The whole address counts, letter by letter, but for its query.
    private func isRegistered(_ target: String, for clientID: String) async throws -> Bool {
        guard RedirectURI(target)?.host != nil,
            let client = try await context.provider.client(clientID, of: context.tenant),
            !client.disabled
        else { return false }
        let address = target.prefix { $0 != "?" }
        return client.metadata.webHandoffURIs.contains {
            $0.hasSameBytes(as: String(address))
        }
    }

    // MARK: The browser

    /// Somebody whom an app has let in.
    package struct Entered: Sendable {
        package let cookie: String
        package let target: String
    }

    /// Whom the address would sign in; it stays good.
    package func person(token: String) async throws -> Person? {
        guard token.utf8.count <= 64,
            let kept = try await context.store.peek(
                hash: hash(token), purpose: .webHandoff, in: context.project, now: context.now),
            let ticket = Ticket(payload: kept.payload)
        else { return nil }
        return try await context.store.person(ticket.person)
    }

    /// Uses up the address. A browser in which somebody else is signed in is not taken over.
    ///
    /// - Parameter browser: who is signed in in it.
    package func enter(
        token: String, in browser: SignedIn?
    ) async throws -> Result<Entered, Refusal> {
        let outcome = try await ticket(token)
            .continued { try await admit($0, in: browser) }
        return try await context.settle("sign-in.web-handoff", outcome.map { $0.0 }) {
            _ in try? outcome.get().1
        }
    }

    private func ticket(_ token: String) async throws -> Result<Ticket, Declined> {
        guard token.utf8.count <= 64,
            let used = try await context.store.consumeChallenge(
                hash: hash(token), purpose: .webHandoff, in: context.project, now: context.now),
            let ticket = Ticket(payload: used.payload)
        else {
            var declined = Declined(
                PeopleRefusal.webHandoffInvalid.refusal(because: "used, old or made up"))
            declined.isStranger = true
            return .failure(declined)
        }
        return .success(ticket)
    }

    private func admit(
        _ ticket: Ticket, in browser: SignedIn?
    ) async throws -> Result<(Entered, Identifier<Person>), Declined> {
        guard let person = try await context.store.person(ticket.person), !person.disabled,
            person.project == context.project,
            let grant = try await context.store.grant(ticket.grant), grant.revokedAt == nil,
            grant.expiresAt > context.now,
            try await isRegistered(ticket.target, for: ticket.clientID)
        else {
            return .refused(
                .webHandoffInvalid, because: "signed out, or withdrawn, meanwhile",
                person: ticket.person)
        }
        guard browser == nil || browser?.person.id == person.id else {
            return .refused(
                .webHandoffOtherPerson, because: "somebody else's browser", person: person.id)
        }
        let started = try await SessionCeremony(provider: context.provider).start(
            person: person, factor: ticket.factor, tenant: context.tenant, facts: context.facts,
            replacing: browser?.session, restsOn: grant.installation?.bytes)
        // Whoever removed the installation in this moment did not see the session yet.
        guard try await context.store.grant(grant.id)?.revokedAt == nil else {
            _ = try await context.store.end(
                session: started.0.session.id, of: person.id, now: context.now)
            return .refused(
                .webHandoffInvalid, because: "withdrawn in the same moment", person: person.id)
        }
        return .success(
            (Entered(cookie: started.cookieValue, target: ticket.target), person.id))
    }

    private func hash(_ secret: String) -> [UInt8] {
        context.provider.secrets.hash("web-handoff/\(secret)".utf8, for: .challenge)
    }

    // MARK: What is kept

    /// What the app was allowed, until the browser comes.
    private struct Ticket: Sendable {
        let person: Identifier<Person>
        /// What the app's token came from: when it ends, so does this.
        let grant: Identifier<Grant>
        let clientID: String
        let target: String
        /// As the person has shown themselves in the app, and when.
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
