// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting
import Storage
import Testing

/// The errors for a missing person or a missing part.
@Suite("What is not there") struct MissingPartsTests {
    private let provider: InProcessProvider
    private let face = SoftwareVerifier(.biometric)
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        try await provider.change {
            $0.policy.registration.authenticators = ["biometric"]
            $0.policy.registration.approvals.enabled = true
        }
        client = try provider.client(store: store, keys: keys, verifiers: [face])
    }

    /// A profile with a PIN and biometrics.
    private func registered() async throws -> Profile {
        let flow = client.registration(.credential(try provider.testKey()))
        for try await case .createPIN(let challenge) in flow {
            try challenge.respond(with: try PIN("24681"))
        }
        let profile = try await flow.outcome.profile
        let adding = client.enroll(.biometric, for: profile.id)
        for try await step in adding {
            switch step {
            case .enterPIN(let challenge): try challenge.respond(with: try PIN("24681"))
            case .authenticator(let challenge): try challenge.respond(prompt: "Add")
            }
        }
        return try await adding.outcome
    }

    @Test("A guest is in no store: they approve nothing, and have no PIN to change")
    func guest() async throws {
        let flow = client.register(persistence: .ephemeral)
        for try await case .browser(let challenge) in flow {
            try await challenge.present(with: try await ScriptedBrowser("anna", at: provider))
        }
        let profile = try await flow.outcome.profile
        await #expect(throws: IdentityError.made(.approvals, .notRegistered)) {
            try await client.approvals.enroll(profile.id)
        }
        #expect(IdentityError.made(.approvals, .notRegistered).legacyCode == 9033)
        await #expect(throws: IdentityError.made(.pinChange, .notRegistered)) {
            try await client.changePIN(of: profile.id).outcome
        }
        #expect(IdentityError.made(.pinChange, .notRegistered).legacyCode == 9033)
    }

    @Test("Who is not here is not there for what was asked: the error has that domain")
    func domains() async throws {
        let none = Profile.ID(rawValue: "nobody")
        func refused(
            _ domain: IdentityError.Domain, _ ask: () async throws -> Void
        ) async {
            await #expect(throws: IdentityError.made(domain, .notRegistered)) { try await ask() }
        }
        await refused(.authentication) { _ = try await client.session(for: none) }
        await refused(.authentication) { _ = try await client.signIn(.deviceKey) }
        await refused(.authentication) { _ = try await client.authenticate(none).outcome }
        await refused(.authentication) { _ = try await client.implicitSession(scopes: []) }
        await refused(.signOut) { try await client.signOut(none) }
        await refused(.deregistration) { try await client.remove(none) }
        await refused(.deregistration) { try await client.deleteAccount(of: none) }
        await refused(.pinChange) { _ = try await client.changePIN(of: none).outcome }
        await refused(.authenticatorRegistration) {
            _ = try await client.enroll(.biometric, for: none).outcome
        }
        await refused(.authenticatorDeregistration) {
            try await client.unenroll(.biometric, for: none)
        }
        await refused(.approvals) { _ = try await client.approvals.pending(for: none) }
    }

    @Test("Signed out, an authenticator goes here, and it says that the provider still has it")
    func signedOut() async throws {
        let profile = try await registered()
        try await client.signOut(profile.id)
        guard case .localOnly(let error) = try await client.unenroll(.biometric, for: profile.id)
        else {
            Issue.record("nobody could tell the provider")
            return
        }
        #expect(error.code == .notSignedIn && error.legacyCode == 9010)
        #expect(try await client.authenticators(of: profile.id) == [.pin])
    }

    @Test("An authenticator that the app brings no longer signs nobody in, and stays")
    func noVerifier() async throws {
        let profile = try await registered()
        let without = try provider.client(store: store, keys: keys)
        await #expect(throws: IdentityError.made(.authentication, .methodNotSupported)) {
            try await without.authenticate(profile.id, using: .biometric).outcome
        }
        #expect(IdentityError.made(.authentication, .methodNotSupported).legacyCode == 10017)
        #expect(try await without.authenticators(of: profile.id) == [.pin, .biometric])
    }

    @Test("A key that is gone from under a profile is damage, and says so")
    func keyGone() async throws {
        let profile = try await client.register(.credential(provider.testKey())).profile
        for name in try await keys.keyNames() { try await keys.removeKey(name) }
        await #expect(throws: IdentityError.made(.generic, .storageDamaged)) {
            try await client.signIn(.deviceKey)
        }
        #expect(try await client.profiles == [profile])
    }

    @Test("What nobody here knows is unknown, with what it was beside it")
    func unknown() async throws {
        struct Failing: CredentialProvider {
            struct Odd: Error {}
            func credential(for request: CredentialRequest) async throws -> ExternalCredential {
                throw Odd()
            }
        }
        do {
            try await client.signIn(.credential(Failing()))
            Issue.record("signed in")
        } catch let error as IdentityError {
            #expect(error == IdentityError.made(.authentication, .unknown))
            #expect(error.underlying is Failing.Odd && error.legacyCode == 10000)
        }
    }
}
