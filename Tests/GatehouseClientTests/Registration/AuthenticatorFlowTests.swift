// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting
import Storage
import Testing

/// Authenticators besides key and PIN, against the real provider.
@Suite("Authenticators") struct AuthenticatorFlowTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let face = SoftwareVerifier(.biometric)
    private let ring = SoftwareVerifier(.custom("ring"))
    private let client: IdentityClient
    private let pin = "24681"

    init() async throws {
        provider = try await InProcessProvider()
        try await provider.change { $0.policy.registration.authenticators = ["biometric", "ring"] }
        wire = FaultyTransport(provider)
        client = try provider.client(
            store: store, keys: keys, verifiers: [face, ring], transport: wire)
    }

    private func registered(withPIN: Bool = true) async throws -> Profile.ID {
        guard withPIN else {
            return try await client.register(.credential(provider.testKey())).profile.id
        }
        let flow = client.registration(.credential(try provider.testKey()))
        for try await case .createPIN(let challenge) in flow {
            try challenge.respond(with: try PIN(pin))
        }
        return try await flow.outcome.profile.id
    }

    @discardableResult
    private func enroll(
        _ authenticator: Authenticator = .biometric, _ profile: Profile.ID
    ) async throws -> [String] {
        let flow = client.enroll(authenticator, for: profile)
        var steps: [String] = []
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge):
                steps.append("pin")
                try challenge.respond(with: try PIN(pin))
            case .authenticator(let challenge):
                steps.append("\(challenge.authenticator)")
                try challenge.respond(prompt: "Add")
            }
        }
        _ = try await flow.outcome
        return steps
    }

    /// Signs in, and says what was asked.
    @discardableResult
    private func signIn(
        _ profile: Profile.ID, using authenticator: Authenticator? = nil, rather: Bool = false
    ) async throws -> (session: GatehouseClient.UserSession, steps: [String]) {
        let flow = client.authenticate(profile, using: authenticator)
        var steps: [String] = []
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge):
                steps.append("pin")
                try challenge.respond(with: try PIN(pin))
            case .authenticator(let challenge):
                steps.append("\(challenge.authenticator)")
                if rather {
                    try challenge.fallBackToPIN()
                } else {
                    try challenge.respond(prompt: "Sign in")
                }
            }
        }
        return (try await flow.outcome, steps)
    }

    @Test("The PIN lets one be added, which then signs in without it")
    func enrolls() async throws {
        let profile = try await registered()
        #expect(try await client.authenticators(of: profile) == [.pin])
        #expect(
            try await client.authenticators(of: profile, .available)
                == [.biometric, .custom("ring")])
        #expect(try await enroll(.biometric, profile) == ["pin", "biometric"])
        let (session, steps) = try await signIn(profile, using: .biometric)
        #expect(steps == ["biometric"] && face.prompts == ["Add", "Sign in"])
        let amr = session.idToken?.claim("amr", as: [String].self)
        #expect(amr == ["swk", "user", "mfa"])
        #expect(session.idToken?.claim("acr", as: String.self) == "phr")
        #expect(try await session.accessToken().isBoundToKey)
        #expect(try await client.authenticators(of: profile) == [.pin, .biometric])
        #expect(try await client.authenticators(of: profile, .available) == [.custom("ring")])
    }

    @Test("A custom one is there beside it, and is one factor")
    func custom() async throws {
        let profile = try await registered(withPIN: false)
        #expect(try await enroll(.custom("ring"), profile) == ["ring"])
        let session = try await signIn(profile, using: .custom("ring")).session
        #expect(session.idToken?.claim("amr", as: [String].self) == ["swk"])
        #expect(
            try await client.authenticators(of: profile) == [.deviceKey, .custom("ring")])
    }

    @Test("The preferred one is the one that a sign-in begins with, also after a restart")
    func preferred() async throws {
        let profile = try await registered()
        try await enroll(.biometric, profile)
        #expect(try await signIn(profile).steps == ["pin"])
        try await client.setPreferred(.biometric, for: profile)
        #expect(try await signIn(profile).steps == ["biometric"])
        let again = try provider.client(store: store, keys: keys, verifiers: [face])
        #expect(try await again.authenticators(of: profile) == [.biometric, .pin])
        try await client.setPreferred(.pin, for: profile)
        #expect(try await signIn(profile).steps == ["pin"])
        await #expect(
            throws: IdentityError.made(.authentication, .authenticatorNotRegistered)
        ) { try await client.setPreferred(.custom("ring"), for: profile) }
    }

    @Test("The PIN is what it falls back to, by the app's word or the person's")
    func fallsBack() async throws {
        let profile = try await registered()
        try await enroll(.biometric, profile)
        let byApp = try await signIn(profile, using: .biometric, rather: true).steps
        #expect(byApp == ["biometric", "pin"])
        face.behave(.fails(.wantsPIN))
        #expect(try await signIn(profile, using: .biometric).steps == ["biometric", "pin"])
    }

    @Test("Where there is no PIN there is none to fall back to")
    func noFallBack() async throws {
        let profile = try await registered(withPIN: false)
        try await enroll(.biometric, profile)
        for try await step in client.authenticate(profile, using: .biometric) {
            guard case .authenticator(let challenge) = step else { continue }
            #expect(!challenge.offersPIN)
            #expect(throws: IdentityError.made(.authentication, .pinNotSet)) {
                try challenge.fallBackToPIN()
            }
            try challenge.respond(prompt: "Sign in")
            #expect(throws: IdentityError.made(.authentication, .challengeAlreadyAnswered)) {
                try challenge.respond(prompt: "Sign in")
            }
        }
        face.behave(.fails(.wantsPIN))
        await #expect(throws: IdentityError.made(.authentication, .cancelled)) {
            try await signIn(profile, using: .biometric)
        }
    }

    @Test("It is removed at the provider and here; the PIN cannot be")
    func unenrolls() async throws {
        let profile = try await registered()
        try await enroll(.biometric, profile)
        try await client.setPreferred(.biometric, for: profile)
        #expect(try await client.unenroll(.biometric, for: profile).isComplete)
        #expect(try await client.authenticators(of: profile) == [.pin])
        #expect(try await face.keyCount == 0)
        let domain = IdentityError.Domain.authenticatorDeregistration
        await #expect(throws: IdentityError.made(domain, .authenticatorNotRegistered)) {
            try await client.unenroll(.biometric, for: profile)
        }
        for own in [Authenticator.pin, .deviceKey] {
            await #expect(throws: IdentityError.made(domain, .pinCannotBeRemoved)) {
                try await client.unenroll(own, for: profile)
            }
        }
        #expect(IdentityError.made(domain, .pinCannotBeRemoved).legacyCode == 10008)
        #expect(try await enroll(.biometric, profile) == ["pin", "biometric"])
    }

    @Test("Without a network it is removed here, and what is left there goes the next time")
    func strays() async throws {
        let profile = try await registered()
        try await enroll(.biometric, profile)
        wire.isDown = true
        guard case .localOnly = try await client.unenroll(.biometric, for: profile) else {
            Issue.record("it cannot know")
            return
        }
        wire.isDown = false
        try await enroll(.custom("ring"), profile)
        let person = try #require(try await client.profiles.first?.userID)
        #expect(try await provider.authenticators(of: person) == 1)
    }

    @Test("A lost answer costs nothing; a lost request is sent again")
    func lost() async throws {
        let profile = try await registered()
        wire.next("/registration/authenticators", .requestLost)
        await #expect(throws: IdentityError.self) { try await enroll(.biometric, profile) }
        #expect(try await face.keyCount == 0)
        let person = try #require(try await client.profiles.first?.userID)
        try await enroll(.biometric, profile)
        #expect(try await provider.authenticators(of: person) == 1)
    }

    @Test("Removing the profile, or erasing everything, takes the keys along")
    func leaves() async throws {
        let profile = try await registered()
        try await enroll(.biometric, profile)
        try await client.remove(profile)
        #expect(try await face.keyCount == 0)
        let other = try await registered()
        try await enroll(.biometric, other)
        try await client.eraseLocalState()
        #expect(try await face.keyCount == 0)
    }

    // MARK: Refusals

    @Test(
        "What happens at the sensor is told apart, and costs nothing",
        arguments: [
            (UserVerificationError.cancelled, IdentityError.Code.cancelled, 9006),
            (.failed("no face"), .biometricFailed, 9030),
            (.invalidated, .authenticatorInvalid, 9015),
        ])
    func sensor(
        _ failure: UserVerificationError, _ code: IdentityError.Code, _ number: Int
    ) async throws {
        let profile = try await registered()
        try await enroll(.biometric, profile)
        face.behave(.fails(failure))
        do {
            try await signIn(profile, using: .biometric)
            Issue.record("signed in")
        } catch let error as IdentityError {
            #expect(error.code == code && error.legacyCode == number)
        }
        #expect(try await client.authenticators(of: profile) == [.pin, .biometric])
        face.behave(.verifies)
        #expect(try await signIn(profile, using: .biometric).steps == ["biometric"])
    }

    @Test("A custom authenticator that fails has a number of its own")
    func customFails() async throws {
        let profile = try await registered()
        ring.behave(.fails(.failed("no ring")))
        let domain = IdentityError.Domain.authenticatorRegistration
        await #expect(throws: IdentityError.made(domain, .authenticatorFailed)) {
            try await enroll(.custom("ring"), profile)
        }
        #expect(IdentityError.made(domain, .authenticatorFailed).legacyCode == 9027)
        ring.behave(.fails(.invalidated))
        await #expect(throws: IdentityError.made(domain, .authenticatorInvalid)) {
            try await enroll(.custom("ring"), profile)
        }
        #expect(IdentityError.made(domain, .authenticatorInvalid).legacyCode == 9015)
        #expect(try await ring.keyCount == 0)
        #expect(try await client.authenticators(of: profile) == [.pin])
    }

    @Test("One that is not there, not offered, or there already is not added")
    func refused() async throws {
        let profile = try await registered()
        let domain = IdentityError.Domain.authenticatorRegistration
        await #expect(throws: IdentityError.made(domain, .methodNotSupported)) {
            try await enroll(.custom("glove"), profile)
        }
        face.setAvailable(false)
        await #expect(throws: IdentityError.made(domain, .methodNotSupported)) {
            try await enroll(.biometric, profile)
        }
        #expect(try await client.authenticators(of: profile, .available) == [.custom("ring")])
        face.setAvailable(true)
        try await enroll(.biometric, profile)
        await #expect(throws: IdentityError.made(domain, .alreadyRegistered)) {
            try await enroll(.biometric, profile)
        }
        try await provider.change { $0.policy.registration.authenticators = [] }
        await #expect(throws: IdentityError.made(domain, .authenticatorNotOffered)) {
            try await enroll(.custom("ring"), profile)
        }
        #expect(IdentityError.made(domain, .authenticatorNotOffered).legacyCode == 10020)
    }

    @Test("One that the provider takes no longer is kept here, and said to be so")
    func deregistered() async throws {
        let profile = try await registered()
        try await enroll(.biometric, profile)
        try await provider.change { $0.policy.registration.authenticators = [] }
        await #expect(throws: IdentityError.made(.authentication, .authenticatorDeregistered)) {
            try await signIn(profile, using: .biometric)
        }
        #expect(
            IdentityError.made(.authentication, .authenticatorDeregistered).legacyCode == 9022)
        #expect(try await client.authenticators(of: profile) == [.pin, .biometric])
        #expect(try await signIn(profile).steps == ["pin"])
        await #expect(
            throws: IdentityError.made(.authentication, .authenticatorNotRegistered)
        ) { try await signIn(profile, using: .custom("ring")) }
    }

    @Test("Cancelling adds nothing, whichever step it is at")
    func cancels() async throws {
        let profile = try await registered()
        for stop in ["pin", "authenticator"] {
            await #expect(throws: IdentityError.made(.generic, .cancelled)) {
                for try await step in client.enroll(.biometric, for: profile) {
                    switch step {
                    case .enterPIN(let challenge):
                        if stop == "pin" {
                            challenge.cancel()
                        } else {
                            try challenge.respond(with: try PIN(pin))
                        }
                    case .authenticator(let challenge): challenge.cancel()
                    }
                }
            }
        }
        #expect(try await face.keyCount == 0)
        #expect(try await client.authenticators(of: profile) == [.pin])
    }

    @Test("A project that changes its mind about PINs: whoever registers again begins anew")
    func registersAgain() async throws {
        let issuer = try await provider.addIssuer()
        try await provider.change { $0.policy.registration.secondInstallations = true }
        let first = try await client.register(.credential(issuer("anna"))).profile
        try await enroll(.biometric, first.id)
        let second = try await client.register(.credential(issuer("anna"))).profile
        #expect(second.id == first.id)
        #expect(try await client.authenticators(of: first.id) == [.deviceKey])
        #expect(try await face.keyCount == 0)
    }
}
