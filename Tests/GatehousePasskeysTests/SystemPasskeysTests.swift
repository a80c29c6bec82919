// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Testing

/// Passkeys of apps: the SDK, the system's API, a software authenticator and the real provider.
@Suite("Passkeys in an app", .timeLimit(.minutes(5))) struct SystemPasskeysTests {
    private let provider: InProcessProvider
    private let machine = PasskeyMachine()
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        client = try provider.client(passkeys: machine.passkeys())
    }

    /// A person who has just signed in with a browser.
    private func registered(_ client: IdentityClient? = nil) async throws -> Profile {
        try await (client ?? self.client).signIn(
            with: try await ScriptedBrowser("anna", at: provider)
        ).profile
    }

    @discardableResult
    private func enroll(
        _ profile: Profile, in client: IdentityClient? = nil
    ) async throws -> Profile {
        let flow = (client ?? self.client).enroll(.passkey, for: profile.id)
        for try await case .authenticator(let challenge) in flow {
            #expect(challenge.authenticator == .passkey && !challenge.offersPIN)
            try challenge.respond(prompt: "Add a passkey")
        }
        return try await flow.outcome
    }

    private func authenticate(_ profile: Profile) async throws -> UserSession {
        let flow = client.authenticate(profile.id, using: .passkey)
        for try await case .authenticator(let challenge) in flow {
            try challenge.respond(prompt: "Sign in")
        }
        return try await flow.outcome
    }

    @Test("A passkey is made for the person, and signs them in with two factors")
    func signsIn() async throws {
        let profile = try await registered()
        #expect(try await client.authenticators(of: profile.id, .available) == [.passkey])
        try await enroll(profile)
        #expect(try await client.authenticators(of: profile.id) == [.passkey])
        #expect(try await client.authenticators(of: profile.id, .available) == [])
        let session = try await authenticate(profile)
        #expect(session.profile == profile)
        let methods = session.idToken?.claim("amr", as: [String].self) ?? []
        #expect(methods.contains("user") && methods.contains("mfa"))
        #expect(session.idToken?.claim("acr", as: String.self)?.hasPrefix("phr") == true)
        #expect(try await session.accessToken().isBoundToKey)
    }

    @Test("On another installation the passkey says who it is, and a profile is made")
    func elsewhere() async throws {
        let profile = try await registered()
        try await enroll(profile)
        let other = try provider.client(passkeys: machine.passkeys())
        let session = try await other.signIn(.passkey)
        #expect(session.profile.userID == profile.userID)
        #expect(session.profile.username == "anna" && !session.profile.hasSignInKey)
        #expect(try await other.profiles.map(\.userID) == [profile.userID])
        // The same person again keeps the profile.
        #expect(try await other.signIn(.passkey).profile.id == session.profile.id)
        #expect(try await other.profiles.count == 1)
    }

    @Test("Where there is a PIN it is asked for before a passkey is added")
    func withPIN() async throws {
        let flow = client.registration(.credential(try provider.testKey()))
        for try await case .createPIN(let challenge) in flow {
            try challenge.respond(with: try PIN("24681"))
        }
        let profile = try await flow.outcome.profile
        let adding = client.enroll(.passkey, for: profile.id)
        var steps: [String] = []
        for try await step in adding {
            switch step {
            case .enterPIN(let challenge):
                steps.append("pin")
                try challenge.respond(with: try PIN("24681"))
            case .authenticator(let challenge):
                steps.append("passkey")
                try challenge.respond(prompt: "Add a passkey")
            }
        }
        _ = try await adding.outcome
        #expect(steps == ["pin", "passkey"])
        #expect(try await client.authenticators(of: profile.id) == [.pin, .passkey])
        #expect(try await authenticate(profile).profile == profile)
        try await client.setPreferred(.passkey, for: profile.id)
        #expect(try await client.authenticators(of: profile.id).first == .passkey)
    }

    @Test("A key that signs in unasked shows nobody, and adds no passkey")
    func unasked() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey)
        await #expect(throws: IdentityError.thrown(.authenticatorRegistration, .notSignedIn)) {
            try await enroll(profile)
        }
        #expect(try await client.authenticators(of: profile.id) == [.deviceKey])
    }

    @Test("Nor does somebody who signed in a while ago")
    func stale() async throws {
        let profile = try await registered()
        provider.clock.advance(by: .seconds(301))
        await #expect(throws: IdentityError.thrown(.authenticatorRegistration, .notSignedIn)) {
            try await enroll(profile)
        }
    }

    @Test("Adding one twice, without passkeys here, or with a person who gives up: refused")
    func refused() async throws {
        let profile = try await registered()
        let without = try provider.client()
        await #expect(throws: IdentityError.thrown(.authentication, .methodNotSupported)) {
            try await without.signIn(.passkey)
        }
        machine.presenter.giveUp(true)
        await #expect(throws: IdentityError.thrown(.authenticatorRegistration, .cancelled)) {
            try await enroll(profile)
        }
        #expect(try await client.authenticators(of: profile.id) == [])
        machine.presenter.giveUp(false)
        try await enroll(profile)
        await #expect(throws: IdentityError.thrown(.authenticatorRegistration, .alreadyRegistered))
        {
            try await enroll(profile)
        }
        machine.presenter.giveUp(true)
        await #expect(throws: IdentityError.thrown(.authentication, .cancelled)) {
            try await authenticate(profile)
        }
    }

    @Test(
        "Whatever is lost on the way: done again there is one passkey, and the app knows it",
        arguments: [FaultyTransport.Fault.requestLost, .answerLost])
    func lost(_ fault: FaultyTransport.Fault) async throws {
        let wire = FaultyTransport(provider)
        let client = try provider.client(passkeys: machine.passkeys(), transport: wire)
        let profile = try await registered(client)
        wire.next("/registration/passkeys", fault)
        await #expect(throws: IdentityError.self) { try await enroll(profile, in: client) }
        #expect(try await client.authenticators(of: profile.id) == [])
        try await enroll(profile, in: client)
        #expect(try await client.authenticators(of: profile.id) == [.passkey])
        let again = try provider.client(passkeys: machine.passkeys())
        #expect(try await again.signIn(.passkey).profile.userID == profile.userID)
        var request = ResourceRequest(InProcessProvider.issuer + "/registration/passkeys")
        try await client.session().authorize(&request)
        let listed =
            try JSONSerialization.jsonObject(
                with: Data(try await provider.response(to: request).body)) as? [String: Any]
        #expect((listed?["items"] as? [Any])?.count == 1)
    }

    @Test("Nobody loses their last way in; removed, it signs nobody in")
    func removed() async throws {
        let profile = try await registered()
        try await enroll(profile)
        await #expect(
            throws: IdentityError.thrown(.authenticatorDeregistration, .notAuthorized)
        ) { try await client.unenroll(.passkey, for: profile.id) }
        #expect(try await client.authenticators(of: profile.id) == [.passkey])
        let second = PasskeyMachine()
        let other = try provider.client(passkeys: second.passkeys())
        try await enroll(try await registered(other), in: other)
        #expect(try await client.unenroll(.passkey, for: profile.id).isComplete)
        await #expect(throws: IdentityError.thrown(.authentication, .authenticatorNotRegistered)) {
            try await authenticate(profile)
        }
        // The system keeps what it has; the provider does not know it any more.
        await #expect(throws: IdentityError.thrown(.authentication, .authenticatorNotRegistered)) {
            try await client.signIn(.passkey)
        }
        #expect(try await other.signIn(.passkey).profile.userID == profile.userID)
    }

    @Test("An app of another domain has its passkey refused, and nobody is signed in")
    func otherOrigin() async throws {
        let profile = try await registered()
        try await enroll(profile)
        let phished = try provider.client(passkeys: machine.passkeys(origin: "http://localhost:1"))
        await #expect(throws: IdentityError.thrown(.authentication, .notAuthorized)) {
            try await phished.signIn(.passkey)
        }
        #expect(try await phished.profiles.isEmpty)
    }
}

extension IdentityError {
    fileprivate static func thrown(_ domain: Domain, _ code: Code) -> IdentityError {
        IdentityError(domain, code, "made by a test")
    }
}
