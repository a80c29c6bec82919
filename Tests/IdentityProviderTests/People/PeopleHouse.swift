// SPDX-License-Identifier: Apache-2.0
import JOSE
import Mail
import PasswordHashing
import Primitives
import ProviderCore
import ProviderPeople
import ProviderSupport
import Storage
import Support
import Testing

/// A provider with one project without people.
struct PeopleHouse {
    private(set) var provider: Provider
    let clock = ManualClock()
    let random: SeededRandom
    let project: Project
    let mailbox: Mailbox
    var limits = AttemptLimits()
    var address = "192.0.2.1"
    var knownBrowser: KnownBrowser?

    static let issuer = TestProvider.issuer
    static let password = "correct horse battery staple"

    init(policy: ProjectPolicy = ProjectPolicy(), hasMail: Bool = true) async throws {
        random = SeededRandom(seed: 3)
        mailbox = Mailbox()
        provider = try await TestProvider.empty(
            clock: clock, random: random, mail: hasMail ? mailbox : nil)
        project = Project(
            id: Identifier(now: clock.now, random: random), name: "default",
            environment: .development, policy: policy, createdAt: clock.now)
        _ = try await provider.store.projects.save(project)
    }

    /// The same store and secrets, with other costs of hashing.
    func withCosts(_ parameters: Argon2Parameters) async throws -> PeopleHouse {
        var other = self
        other.provider = try await TestProvider.empty(
            store: provider.store, clock: clock, random: random, mail: provider.mail,
            costs: parameters)
        return other
    }

    func storedPassword(of person: Person) async throws -> Credential {
        try #require(
            try await provider.store.credentials.credentials(of: person.id).first {
                $0.kind == .password
            })
    }

    var tenant: Tenant { Tenant(project: project, issuer: Self.issuer) }

    var context: CeremonyContext { context(of: tenant) }

    func context(of tenant: Tenant) -> CeremonyContext {
        CeremonyContext(
            provider: provider, tenant: tenant, facts: facts, limits: limits, writer: PlainWriter())
    }

    var facts: RequestMetadata {
        var facts = RequestMetadata(
            now: clock.now, requestID: "r", address: address,
            userAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36")
        facts.knownBrowser = knownBrowser
        return facts
    }

    /// A second project, for what must not cross.
    func neighbour() async throws -> Tenant {
        let other = Project(
            id: Identifier(now: clock.now, random: random), name: "qa", environment: .production,
            createdAt: clock.now)
        _ = try await provider.store.projects.save(other)
        return Tenant(project: other, issuer: Self.issuer)
    }

    // MARK: Shortcuts

    func register(
        _ username: String = "anna", password: String = PeopleHouse.password,
        email: String = "", setUpToken: String? = nil
    ) async throws -> Result<RegistrationBinding, Refusal> {
        try await CeremonyRunner(context).run(
            PasswordRegistration(
                application: SignUpForm(
                    username: username, name: "Anna Johnson", email: email,
                    setUpToken: setUpToken),
                password: Secret(password)))
    }

    func signIn(
        _ username: String = "anna", password: String = PeopleHouse.password,
        replacing: Session? = nil
    ) async throws -> Result<CompletedSignIn, Refusal> {
        try await CeremonyRunner(context).run(
            PasswordSignIn(username: username, password: Secret(password), replacing: replacing))
    }

    /// Registers a person with a password and signs them in.
    func member(_ username: String = "anna") async throws -> AuthenticatedSession {
        _ = try await register(username).get()
        return try await signIn(username).get().signedIn
    }

    /// Makes the person's e-mail address a confirmed one.
    func confirm(_ email: String, of person: Person) async throws {
        var person = person
        person.claims.email = email
        person.claims.emailVerified = true
        _ = try await provider.store.people.update(person, now: clock.now)
    }

    func events(_ action: String) async throws -> [AuditEvent] {
        var filter = AuditFilter()
        filter.action = action
        return try await provider.store.auditLog.auditEvents(filter, before: nil, limit: 100)
    }

    // MARK: Passkeys

    func passkey() throws -> SoftwarePasskey {
        try SoftwarePasskey(
            origin: Self.issuer, relyingPartyID: "localhost", random: random)
    }

    func options(_ username: String) async throws -> Result<PasskeyOptions, Refusal> {
        try await PasskeyOptions.register(SignUpForm(username: username), in: context)
    }

    /// A key that is held against the device.
    func securityKey() throws -> SoftwarePasskey {
        var key = try passkey()
        key.attachment = "cross-platform"
        key.transports = ["usb", "nfc"]
        return key
    }

    /// Adds a key for a signed-in person.
    func add(_ key: SoftwarePasskey, for signedIn: AuthenticatedSession) async throws -> Credential
    {
        let options = try await PasskeyOptions.add(
            for: signedIn, kind: .securityKey, in: context
        ).get()
        return try #require(try await register(key, options, signedIn: signedIn).get().credential)
    }

    /// Responds to a ceremony for a given person.
    func answer(
        _ options: PasskeyOptions, with key: SoftwarePasskey, handle: Person,
        replacing: Session? = nil
    ) async throws -> Result<CompletedSignIn, Refusal> {
        let text = try key.assertion(challenge: options.ceremony, userHandle: handle.id.bytes)
        return try await CeremonyRunner(context).run(
            PasskeySignIn(
                ceremony: options.ceremony, response: try json(text), replacing: replacing))
    }

    func register(
        _ passkey: SoftwarePasskey, _ options: PasskeyOptions, signedIn: AuthenticatedSession? = nil
    ) async throws -> Result<RegistrationBinding, Refusal> {
        try await CeremonyRunner(context).run(
            PasskeyRegistration(
                ceremony: options.ceremony,
                response: try json(passkey.registration(challenge: options.ceremony)),
                signedIn: signedIn))
    }

    /// Registers a person with a passkey and without a password.
    func keyHolder(_ username: String = "anna") async throws -> (Person, SoftwarePasskey) {
        let passkey = try passkey()
        let binding = try await register(passkey, options(username).get()).get()
        return (binding.person, passkey)
    }

    func signIn(
        _ passkey: SoftwarePasskey, of person: Person, ceremony: String? = nil
    ) async throws -> Result<CompletedSignIn, Refusal> {
        var challenge = ceremony
        if challenge == nil {
            challenge = try await PasskeyOptions.signIn(in: context).get().ceremony
        }
        let text = try passkey.assertion(
            challenge: challenge ?? "", userHandle: person.id.bytes)
        return try await CeremonyRunner(context).run(
            PasskeySignIn(ceremony: challenge ?? "", response: try json(text)))
    }

    func json(_ text: String) throws -> JSONValue {
        try JSONParser.parse(Array(text.utf8), maximumBytes: 65_536)
    }
}

/// Notices as their kind's name; codes alone.
struct PlainWriter: NotificationComposer {
    func write(_ notice: AccountNotification) -> (subject: String, text: String) {
        switch notice.kind {
        case .verificationCode(let code), .recoveryCode(let code): ("code", code)
        case .invitation(let url, _): ("invitation", url)
        default: ("\(notice.kind)", "-")
        }
    }
}

extension Result where Failure == Refusal {
    /// The code of the refusal, for short expectations.
    var code: UserFacingRefusal? {
        if case .failure(let refusal) = self {
            UserFacingRefusal(rawValue: refusal.code)
        } else {
            nil
        }
    }
}
