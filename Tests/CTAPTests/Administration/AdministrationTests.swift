// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives
import Support
import Testing
import WebAuthn

@Suite struct AdministrationTests {
    private static let pin = "123456"

    private func administration(
        _ fixture: ClientFixture
    ) async throws -> SecurityKeyAdministration {
        SecurityKeyAdministration(
            try await fixture.open(), interaction: fixture.person, random: SeededRandom(seed: 4))
    }

    private func pins(_ count: Int) -> TestPerson {
        TestPerson(pins: [String](repeating: Self.pin, count: count))
    }

    private func register(_ fixture: ClientFixture, user: UInt8, blob: Bool = false) async throws {
        var options = ClientFixture.creation(user: user)
        options.residentKey = .required
        if blob { options.extensions.largeBlob = .required }
        _ = try await fixture.client.register(options, caller: ClientFixture.caller)
    }

    @Test("a PIN is set, changed, and refused when the old one is wrong, with the tries left")
    func pin() async throws {
        let fixture = try ClientFixture()
        let administration = try await administration(fixture)
        try await administration.setPIN(Self.pin)
        #expect(administration.key.info?.hasPIN == true)
        await #expect(throws: SecurityKeyError.wrongPIN(triesLeft: 7)) {
            try await administration.changePIN(from: "654321", to: "abcdef")
        }
        try await administration.changePIN(from: Self.pin, to: "abcdef")
        #expect(try await administration.key.pinTriesLeft() == 8)
        await #expect(throws: SecurityKeyError.pinTooShort(minimum: 4)) {
            try await administration.changePIN(from: "abcdef", to: "abc")
        }
    }

    @Test("credentials are listed, renamed and deleted, each operation under its own name")
    func credentials() async throws {
        let fixture = try ClientFixture(person: pins(12))
        let administration = try await administration(fixture)
        try await administration.setPIN(Self.pin)
        #expect(try await administration.credentials().isEmpty)
        try await register(fixture, user: 1)
        try await register(fixture, user: 2)
        let listed = try await administration.credentials()
        #expect(listed.map(\.relyingParty) == ["example.org", "example.org"])
        #expect(Set(listed.compactMap(\.user.name)) == ["user1", "user2"])
        #expect(try await administration.credentialStorage().used == 2)
        let first = try #require(listed.first { $0.user.name == "user1" })
        try await administration.update(
            first, user: CTAPUser(id: first.user.id, name: "anna", displayName: "Anna"))
        try await administration.delete(try #require(listed.first { $0.user.name == "user2" }))
        #expect(try await administration.credentials().map(\.user.name) == ["anna"])
        #expect(
            fixture.person.log.pinRequests.map(\.operation).contains(
                .deleteCredential(relyingParty: "example.org", account: "user2")))
    }

    @Test("without a PIN credentials are not listed")
    func withoutPIN() async throws {
        let administration = try await administration(try ClientFixture())
        await #expect(throws: SecurityKeyError.pinNotSet) {
            try await administration.credentials()
        }
    }

    @Test("data beside a credential are written, read, removed with it")
    func largeBlobs() async throws {
        let fixture = try ClientFixture(person: pins(12))
        let administration = try await administration(fixture)
        try await administration.setPIN(Self.pin)
        try await register(fixture, user: 1, blob: true)
        let credential = try #require(try await administration.credentials().first)
        #expect(try await administration.largeBlob(of: credential) == nil)
        try await administration.setLargeBlob([1, 2, 3], of: credential)
        #expect(try await administration.largeBlob(of: credential) == [1, 2, 3])
        #expect(try await administration.removeOrphanedLargeBlobs() == 0)
        try await administration.delete(credential)
        #expect(try await administration.key.largeBlobs(failIfDamaged: true).count == 0)
    }

    @Test("a finger is enrolled sample by sample, renamed and removed")
    func fingerprints() async throws {
        var configuration = AuthenticatorConfiguration()
        configuration.verification = .fingerprint
        let gesture = ScriptedGesture()
        gesture.sample(as: .good, .tooFast, .good, .good)
        let fixture = try ClientFixture(configuration, person: pins(12), gesture: gesture)
        let administration = try await administration(fixture)
        try await administration.setPIN(Self.pin)
        #expect(try await administration.fingerprintSensor().samplesPerFinger == 3)
        #expect(try await administration.fingerprints().isEmpty)
        let finger = try await administration.enrolFingerprint(name: "thumb")
        #expect(
            fixture.person.log.prompts.contains(.fingerprintSample(.tooFast, remaining: 2)))
        #expect(try await administration.fingerprints().map(\.friendlyName) == ["thumb"])
        try await administration.renameFingerprint(finger.id, to: "left thumb")
        let renamed = try #require(try await administration.fingerprints().first)
        #expect(renamed.friendlyName == "left thumb")
        try await administration.removeFingerprint(renamed)
        #expect(try await administration.fingerprints().isEmpty)
    }

    @Test(
        "a fingerprint verifies; what it does not recognise is tried again, then the PIN is asked")
    func builtIn() async throws {
        var configuration = AuthenticatorConfiguration()
        configuration.verification = .fingerprint
        let gesture = ScriptedGesture()
        gesture.sample(as: .good, .good, .good)
        let fixture = try ClientFixture(configuration, person: pins(2), gesture: gesture)
        let administration = try await administration(fixture)
        try await administration.setPIN(Self.pin)
        _ = try await administration.enrolFingerprint(name: nil)
        var options = ClientFixture.creation()
        options.userVerification = .required
        gesture.verify(as: .verified)
        _ = try await fixture.client.register(options, caller: ClientFixture.caller)
        #expect(fixture.person.log.pinRequests.count == 1)
        gesture.verify(as: .failed, .failed, .failed, .failed, .failed)
        _ = try await fixture.client.register(options, caller: ClientFixture.caller)
        #expect(fixture.person.log.pinRequests.count == 2)
    }

    @Test("the configuration is changed, and told by the key")
    func configuration() async throws {
        let fixture = try ClientFixture(person: pins(12))
        let administration = try await administration(fixture)
        try await administration.setPIN(Self.pin)
        try await administration.setAlwaysVerifies(true)
        #expect(administration.key.info?.has(option: "alwaysUv") == true)
        try await administration.setAlwaysVerifies(true)
        #expect(administration.key.info?.has(option: "alwaysUv") == true)
        try await administration.setMinimumPINLength(8, relyingParties: ["example.org"])
        #expect(administration.key.info?.minPINLength == 8)
        await #expect(throws: SecurityKeyError.unsupported("enterprise attestation")) {
            try await administration.enableEnterpriseAttestation()
        }
    }

    @Test("Attack 38: a reset is announced as what it is, and erases everything")
    func reset() async throws {
        let fixture = try ClientFixture(person: pins(4))
        let administration = try await administration(fixture)
        try await administration.setPIN(Self.pin)
        try await register(fixture, user: 1)
        try await administration.reset()
        #expect(administration.key.info?.hasPIN == false)
        #expect(
            fixture.person.log.prompts.contains(
                .touch(administration.key.description, .reset)))
    }

    @Test("Attack 38: a reset long after the key was put in is not allowed")
    func lateReset() async throws {
        let clock = ManualClock()
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AutomaticGesture(), clock: clock,
            random: SeededRandom())
        clock.advance(by: .seconds(60))
        let opened = try await SecurityKey.open(TestDevice("key", TestTransport(key)))
        let administration = SecurityKeyAdministration(
            opened, interaction: TestPerson(), random: SeededRandom())
        await #expect(throws: SecurityKeyError.notAllowedNow) {
            try await administration.reset()
        }
    }

    @Test("what a key without the feature is asked for is refused without asking it")
    func unsupported() async throws {
        let fixture = try ClientFixture()
        let administration = try await administration(fixture)
        await #expect(throws: SecurityKeyError.unsupported("a fingerprint sensor")) {
            try await administration.fingerprints()
        }
        #expect(fixture.transport.requests == [.getInfo])
    }
}
