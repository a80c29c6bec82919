// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import Storage

/// A way back for somebody who lost every key: an administrator opens it, for one person, once,
/// for a limited time. Every step leaves its audit event.
///
/// It is kept under the person, not under the token: opening it again replaces the older link, and
/// closing it needs no link.
package struct ReRegistration: Sendable {
    let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    package static let defaultLifetime = TimeSpan.hours(24)
    /// In seconds: five minutes to a week.
    package static let lifetimes: ClosedRange<Int64> = 300...604_800

    /// Opens the way. Answers the address for the person, which is shown once.
    package func open(
        for person: Person, lifetime: TimeSpan
    ) async throws -> (url: String, expiresAt: Timestamp) {
        let secret = context.provider.newSecret()
        let end = context.now + lifetime
        let payload: JSONValue = [
            "secret": .string(Base64URL.encode(hash(secret))),
            "roles": .array(try await roles(of: person.id).map(JSONValue.string)),
        ]
        try await context.store.issue(
            Challenge(
                hash: place(person.id), purpose: .reRegistration, project: context.project,
                payload: payload.text, expiresAt: end))
        try await record("admin.person.re-registration.opened", person.id, until: end)
        Mailer(context: context).send(.reRegistrationOpened, to: person)
        let token = "\(Base64URL.encode(person.id.bytes)).\(secret)"
        return ("\(context.tenant.issuer)/reregister?token=\(token)", end)
    }

    /// Closes it. `false` when there was nothing to close.
    package func close(for person: Person) async throws -> Bool {
        let closed = try await context.store.consumeChallenge(
            hash: place(person.id), purpose: .reRegistration, in: context.project, now: context.now)
        guard closed != nil else { return false }
        try await record("admin.person.re-registration.closed", person.id, until: nil)
        return true
    }

    /// Whom the link lets in; `nil` when it lets in nobody any more.
    package func person(behind token: String) async throws -> Person? {
        guard let (id, secret) = Self.read(token),
            let open = try await context.store.peek(
                hash: place(id), purpose: .reRegistration, in: context.project, now: context.now),
            try await isGood(open, for: id, secret),
            let person = try await context.store.person(id),
            person.project == context.project, !person.disabled
        else { return nil }
        return person
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
                "credential.passkey.re-registered",
                .refused(.reRegistrationInvalid, because: "no such link", isStranger: true),
                in: context)
        }
        let memory = RegistrationState(flow: .again(token: token), person: person.id, kind: kind)
        let known = try await PasskeyOptions.keys(of: person, context)
        return .success(
            try await PasskeyOptions.create(for: person, excluding: known, memory, in: context))
    }

    func policy(_ token: String) async throws -> CeremonyRefusal? {
        guard try await person(behind: token) == nil else { return nil }
        return CeremonyRefusal(
            UserFacingRefusal.reRegistrationInvalid.refusal(because: "the link is over"),
            person: Self.read(token)?.person)
    }

    /// Uses up the link and binds the key in one step: of two that finish together one gets the
    /// link, and it is not lost to a key that was not bound.
    func bind(
        _ person: Person, _ credential: Credential, token: String, factor: AuthenticationFactor
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        guard let (id, secret) = Self.read(token), id == person.id,
            let open = try await context.store.peek(
                hash: place(id), purpose: .reRegistration, in: context.project, now: context.now),
            try await isGood(open, for: id, secret)
        else {
            return .refused(
                .reRegistrationInvalid, because: "the link was used meanwhile", person: person.id)
        }
        switch try await context.store.add(credential, spending: open, now: context.now) {
        case .spent:
            return .success(
                RegistrationBinding(
                    person: person, credential: credential, factor: factor,
                    notice: .keyReRegistered(label: credential.label)))
        case .credentialTaken:
            return .refused(.passkeyTaken, because: "credential id is taken", person: person.id)
        case .linkGone, .usernameTaken:
            return .refused(
                .reRegistrationInvalid, because: "the link was used meanwhile", person: person.id)
        }
    }

    // MARK: The link

    private static func read(_ token: String) -> (person: Identifier<Person>, secret: String)? {
        guard token.utf8.count <= 128 else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let bytes = Base64URL.decode(parts[0]),
            let person = Identifier<Person>(bytes: bytes)
        else { return nil }
        return (person, String(parts[1]))
    }

    /// A role that the person was given since ends it: whoever opened the way was perhaps not allowed
    /// to for such an administrator, and must not become one by it.
    private func isGood(
        _ open: Challenge, for person: Identifier<Person>, _ secret: String
    ) async throws -> Bool {
        let object = try? JSONParser.parseObject(Array(open.payload.utf8), maximumBytes: 65_536)
        let expected = Base64URL.decode(object?["secret"]?.string ?? "") ?? []
        guard ConstantTime.equal(hash(secret), expected) else { return false }
        return Set(try await roles(of: person)).isSubset(of: object?["roles"]?.strings ?? [])
    }

    /// A word for each role and what it is for.
    private func roles(of person: Identifier<Person>) async throws -> [String] {
        try await context.store.administration(of: person).map {
            "\($0.role.rawValue) \($0.project?.description ?? "*")"
        }
    }

    private func hash(_ secret: String) -> [UInt8] {
        context.provider.secrets.hash("re-registration/\(secret)".utf8, for: .challenge)
    }

    private func place(_ person: Identifier<Person>) -> [UInt8] {
        context.provider.secrets.hash(
            Array("re-registration/of/".utf8) + person.bytes, for: .challenge)
    }

    private func record(
        _ action: String, _ person: Identifier<Person>, until end: Timestamp?
    ) async throws {
        let details: JSONValue = end.map { ["expires_at": .string($0.rfc3339)] } ?? [:]
        try await context.provider.audit.record(
            AuditEventDraft(
                action, in: context.project, facts: context.facts, person: person,
                details: details.text))
    }
}
