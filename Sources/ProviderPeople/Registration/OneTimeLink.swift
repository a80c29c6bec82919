// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
package import ProviderCore
package import Storage

/// A link with which one person registers a credential once, within a limited time. An
/// administrator creates it.
///
/// It is stored under the person, not under the token: a new link replaces the earlier one, and a
/// link is withdrawn without its token. A role that is assigned to the person later invalidates the
/// link, because its creator may have no right to create one for such a person.
package protocol OneTimeLink: Sendable {
    static var kind: OneTimeLinkKind { get }
    var context: CeremonyContext { get }
    init(_ context: CeremonyContext)

    /// Whether the link still works for a person who is not disabled.
    func admits(_ person: Person) async throws -> Bool
    /// Consumes the link and stores the credential in one transaction: of two concurrent uses one
    /// succeeds, and a credential that is not stored does not consume the link.
    func consume(_ link: OpenLink, for credential: Credential) async throws -> LinkRedemptionOutcome
}

/// The properties in which the two kinds of links differ.
package struct OneTimeLinkKind: Sendable {
    let purpose: Challenge.Purpose
    /// Part of what is hashed.
    let name: String
    /// The prefix of tokens.
    let prefix: String
    /// The path of the page.
    let path: String
    /// The audit action of the person's ceremony.
    let action: String
    /// The prefix of the audit actions of administrators.
    let administration: String
    let refusal: UserFacingRefusal
    let notice: @Sendable (Credential) -> AccountNotification.Kind?
}

/// An active link with its person.
package struct OpenLink: Sendable {
    let person: Person
    let link: Challenge
    let payload: JSONObject
}

/// The kind of link to which the token belongs.
package func oneTimeLink(_ token: String, in context: CeremonyContext) -> any OneTimeLink {
    Invitation.isToken(token) ? Invitation(context) : ReRegistration(context)
}

// MARK: Use

extension OneTimeLink {
    /// The person of the link; `nil` if the link is expired, withdrawn or used.
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
                Self.kind.action,
                .refused(Self.kind.refusal, because: "no such link", isStranger: true),
                in: context)
        }
        let memory = RegistrationState(flow: .again(token: token), person: person.id, kind: kind)
        let known = try await PasskeyOptions.keys(of: person, context)
        return .success(
            try await PasskeyOptions.create(for: person, excluding: known, memory, in: context))
    }

    func policy(_ token: String) async throws -> CeremonyRefusal? {
        guard try await open(token) == nil else { return nil }
        return CeremonyRefusal(
            Self.kind.refusal.refusal(because: "the link is not active"),
            person: Self.read(token)?.person)
    }

    func bind(
        _ person: Person, _ credential: Credential, token: String, factor: AuthenticationFactor
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        guard let open = try await open(token), open.person.id == person.id else {
            return .refused(Self.kind.refusal, because: "the link is not active", person: person.id)
        }
        switch try await consume(open, for: credential) {
        case .spent:
            return .success(
                RegistrationBinding(
                    person: person, credential: credential, factor: factor,
                    notice: Self.kind.notice(credential)))
        case .credentialTaken:
            return .refused(.passkeyTaken, because: "credential id is taken", person: person.id)
        case .linkGone, .usernameTaken:
            return .refused(
                Self.kind.refusal, because: "the link was consumed in the meantime",
                person: person.id)
        }
    }
}

// MARK: The link

extension OneTimeLink {
    package static func isToken(_ text: String) -> Bool { text.hasPrefix(kind.prefix) }

    /// Creates a link and its URL. The caller stores the challenge.
    func make(
        for person: Person, until end: Timestamp, adding details: JSONObject = JSONObject()
    ) async throws -> (link: Challenge, url: String) {
        let secret = context.provider.newSecret()
        var payload = details
        payload["secret"] = .string(Base64URL.encode(hash(secret)))
        payload["roles"] = .array(try await roles(of: person.id).map(JSONValue.string))
        let link = Challenge(
            hash: place(person.id), purpose: Self.kind.purpose, project: context.project,
            payload: JSONValue.object(payload).text, expiresAt: end)
        let token = "\(Self.kind.prefix)\(Base64URL.encode(person.id.bytes)).\(secret)"
        return (link, "\(context.tenant.issuer)/\(Self.kind.path)?token=\(token)")
    }

    private func open(_ token: String) async throws -> OpenLink? {
        guard let (id, secret) = Self.read(token),
            let link = try await context.store.challenges.peek(
                hash: place(id), purpose: Self.kind.purpose, in: context.project,
                now: context.now),
            let payload = try? JSONParser.parseObject(
                Array(link.payload.utf8), maximumBytes: 65_536),
            let expected = Base64URL.decode(payload["secret"]?.string ?? ""),
            ConstantTime.equal(hash(secret), expected),
            Set(try await roles(of: id)).isSubset(of: payload["roles"]?.strings ?? []),
            let person = try await context.store.people.person(id),
            person.project == context.project,
            !person.disabled, try await admits(person)
        else { return nil }
        return OpenLink(person: person, link: link, payload: payload)
    }

    private static func read(_ token: String) -> (person: Identifier<Person>, secret: String)? {
        guard isToken(token), token.utf8.count <= 128 else { return nil }
        let parts = token.dropFirst(kind.prefix.count)
            .split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let bytes = Base64URL.decode(parts[0]),
            let person = Identifier<Person>(bytes: bytes)
        else { return nil }
        return (person, String(parts[1]))
    }

    /// The roles of the person, each as role and project.
    private func roles(of person: Identifier<Person>) async throws -> [String] {
        try await context.store.administrators.administration(of: person).map {
            "\($0.role.rawValue) \($0.project?.description ?? "*")"
        }
    }

    private func hash(_ secret: String) -> [UInt8] {
        context.provider.secrets.hash("\(Self.kind.name)/\(secret)".utf8, for: .challenge)
    }

    /// The hash under which the link of a person is stored.
    func place(_ person: Identifier<Person>) -> [UInt8] {
        context.provider.secrets.hash(
            Array("\(Self.kind.name)/of/".utf8) + person.bytes, for: .challenge)
    }

    /// Records an administrative action on the link.
    func record(
        _ act: String, _ person: Identifier<Person>, _ details: JSONObject = JSONObject()
    ) async throws {
        try await context.provider.audit.record(
            AuditEventDraft(
                "\(Self.kind.administration).\(act)", in: context.project, facts: context.facts,
                person: person, details: JSONValue.object(details).text))
    }
}
