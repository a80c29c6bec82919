// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import Storage

/// The first way in for somebody whom an administrator has made: a link, for one person, once, for a
/// limited time, by which they choose a passkey or a password. It is nothing to whoever has a
/// credential already: for them there is ``ReRegistration``.
///
/// It is kept under the person: sending it again replaces the link before. With a mail server the
/// link goes to the person's address and is shown to nobody, so that using it proves the mailbox.
package struct Invitation: Sendable {
    let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    package static let defaultLifetime = TimeSpan.days(7)
    /// In seconds: five minutes to thirty days.
    package static let lifetimes: ClosedRange<Int64> = 300...2_592_000

    private static let prefix = "i-"

    package struct Sent: Sendable, Equatable {
        package let expiresAt: Timestamp
        /// The address that the link was mailed to.
        package let address: String?
        /// The link itself, to be handed over, when it was not mailed.
        package let url: String?
        /// The reason if the link was to be mailed and was not.
        package var notMailed: NotMailed?
    }

    package enum NotMailed: String, Sendable {
        case noMailServer = "no_mail_server"
        case noAddress = "no_address"
        /// The mail server did not accept the message.
        case mailFailed = "mail_failed"
    }

    /// Whether a token is one of an invitation, rather than of a ``ReRegistration``.
    package static func isToken(_ text: String) -> Bool { text.hasPrefix(prefix) }

    // MARK: What an administrator does

    /// Invites the person, or invites them again. `nil` when they are disabled or have a credential.
    ///
    /// - Parameter byMail: whether the link is to be mailed. Where it cannot be, it is in the answer.
    package func send(
        to person: Person, lifetime: TimeSpan, byMail: Bool
    ) async throws -> Sent? {
        let address = byMail && context.provider.mail != nil ? person.claims.email : nil
        let end = context.now + lifetime
        var url = try await issue(person, until: end, mailedTo: address)
        guard let link = url else { return nil }
        if let address {
            let isMailed = await Mailer(context: context).deliver(
                .invitation(url: link, until: end), to: person, at: address)
            // A link that is shown proves no mailbox, so it is another one.
            url = isMailed ? nil : try await issue(person, until: end, mailedTo: nil)
            if !isMailed, url == nil { return nil }
        }
        let mailed = url == nil ? address : nil
        try await record("admin.person.invitation.sent", person.id, until: end, mailed: mailed)
        return Sent(
            expiresAt: end, address: mailed, url: url,
            notMailed: byMail && mailed == nil ? obstacle(address) : nil)
    }

    private func obstacle(_ address: String?) -> NotMailed {
        guard context.provider.mail != nil else { return .noMailServer }
        return address == nil ? .noAddress : .mailFailed
    }

    private func issue(
        _ person: Person, until end: Timestamp, mailedTo address: String?
    ) async throws -> String? {
        let secret = context.provider.newSecret()
        var payload = JSONObject()
        payload["secret"] = .string(Base64URL.encode(hash(secret)))
        payload["roles"] = .array(try await roles(of: person.id).map(JSONValue.string))
        payload["address"] = address.map(JSONValue.string)
        let link = Challenge(
            hash: place(person.id), purpose: .invitation, project: context.project,
            payload: JSONValue.object(payload).text, expiresAt: end)
        guard try await context.store.invite(person.id, by: link) else { return nil }
        let token = "\(Self.prefix)\(Base64URL.encode(person.id.bytes)).\(secret)"
        return "\(context.tenant.issuer)/invitation?token=\(token)"
    }

    /// Ends the invitation. `false` when there was none.
    package func withdraw(from person: Person) async throws -> Bool {
        guard
            try await context.store.withdrawInvitation(
                of: person.id, hash: place(person.id), in: context.project)
        else { return false }
        try await record("admin.person.invitation.withdrawn", person.id, until: nil, mailed: nil)
        return true
    }

    // MARK: What the person does

    /// The person whom the link invites; `nil` if the link is expired, withdrawn or used.
    package func person(behind token: String) async throws -> Person? {
        try await open(token)?.person
    }

    /// The options of the ceremony; a link may be tried until it is used.
    package func options(
        token: String, kind: PasskeyOptions.Kind
    ) async throws -> Result<PasskeyOptions, Refusal> {
        if let declined = try await AttemptCounter(context: context).countRequest() {
            return .failure(declined.refusal)
        }
        guard let person = try await person(behind: token) else {
            return try await PasskeyOptions.refusalsSettled(
                "registration.invited",
                .refused(.invitationInvalid, because: "no such link", isStranger: true),
                in: context)
        }
        let memory = RegistrationState(flow: .again(token: token), person: person.id, kind: kind)
        return .success(
            try await PasskeyOptions.create(for: person, excluding: [], memory, in: context))
    }

    func policy(_ token: String) async throws -> CeremonyRefusal? {
        guard try await open(token) == nil else { return nil }
        return CeremonyRefusal(
            UserFacingRefusal.invitationInvalid.refusal(because: "the link is over"),
            person: Self.read(token)?.person)
    }

    /// Uses up the link and binds the credential in one step.
    func bind(
        _ person: Person, _ credential: Credential, token: String, factor: AuthenticationFactor
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        guard let open = try await open(token), open.person.id == person.id else {
            return .refused(
                .invitationInvalid, because: "the link is over", person: person.id)
        }
        switch try await context.store.accept(
            open.link, with: credential, confirming: open.address, now: context.now)
        {
        case .spent:
            return .success(
                RegistrationBinding(
                    person: person, credential: credential, factor: factor, notice: nil))
        case .credentialTaken:
            return .refused(.passkeyTaken, because: "credential id is taken", person: person.id)
        case .linkGone, .usernameTaken:
            return .refused(
                .invitationInvalid, because: "the link was used meanwhile", person: person.id)
        }
    }

    // MARK: The link

    private struct Open {
        let person: Person
        let link: Challenge
        let address: String?
    }

    private func open(_ token: String) async throws -> Open? {
        guard let (id, secret) = Self.read(token),
            let link = try await context.store.peek(
                hash: place(id), purpose: .invitation, in: context.project, now: context.now),
            let payload = try? JSONParser.parseObject(
                Array(link.payload.utf8), maximumBytes: 65_536),
            let expected = Base64URL.decode(payload["secret"]?.string ?? ""),
            ConstantTime.equal(hash(secret), expected),
            // A role that they were given since: whoever invited them was perhaps not allowed to.
            Set(try await roles(of: id)).isSubset(of: payload["roles"]?.strings ?? []),
            let person = try await context.store.person(id), person.project == context.project,
            !person.disabled, try await context.store.credentials(of: id).isEmpty
        else { return nil }
        return Open(person: person, link: link, address: payload["address"]?.string)
    }

    private static func read(_ token: String) -> (person: Identifier<Person>, secret: String)? {
        guard isToken(token), token.utf8.count <= 128 else { return nil }
        let parts = token.dropFirst(prefix.count)
            .split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let bytes = Base64URL.decode(parts[0]),
            let person = Identifier<Person>(bytes: bytes)
        else { return nil }
        return (person, String(parts[1]))
    }

    /// A word for each role and what it is for.
    private func roles(of person: Identifier<Person>) async throws -> [String] {
        try await context.store.administration(of: person).map {
            "\($0.role.rawValue) \($0.project?.description ?? "*")"
        }
    }

    private func hash(_ secret: String) -> [UInt8] {
        context.provider.secrets.hash("invitation/\(secret)".utf8, for: .challenge)
    }

    private func place(_ person: Identifier<Person>) -> [UInt8] {
        context.provider.secrets.hash(
            Array("invitation/of/".utf8) + person.bytes, for: .challenge)
    }

    private func record(
        _ action: String, _ person: Identifier<Person>, until end: Timestamp?, mailed: String?
    ) async throws {
        var details = JSONObject()
        details["expires_at"] = end.map { .string($0.rfc3339) }
        details["mailed_to"] = mailed.map(JSONValue.string)
        try await context.provider.audit.record(
            AuditEventDraft(
                action, in: context.project, facts: context.facts, person: person,
                details: JSONValue.object(details).text))
    }
}
