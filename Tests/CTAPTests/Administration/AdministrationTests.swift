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

    @Test("data of a credential are written, read, and removed with it")
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

    @Test("each credential has separate data, which are replaced, removed, and change in length")
    func manyLargeBlobs() async throws {
        let fixture = try ClientFixture(person: pins(30))
        let administration = try await administration(fixture)
        try await administration.setPIN(Self.pin)
        for user: UInt8 in 1...3 { try await register(fixture, user: user, blob: user < 3) }
        let found = try await administration.credentials()
        let first = try #require(found.first { $0.user.name == "user1" })
        let second = try #require(found.first { $0.user.name == "user2" })
        // Too long for one fragment, and hard to compress.
        let long = SeededRandom(seed: 9).bytes(2500)
        try await administration.setLargeBlob(long, of: first)
        try await administration.setLargeBlob([2], of: second)
        #expect(try await administration.largeBlob(of: first) == long)
        #expect(try await administration.largeBlob(of: second) == [2])
        try await administration.setLargeBlob([1, 1], of: first)
        #expect(try await administration.largeBlob(of: first) == [1, 1])
        try await administration.setLargeBlob(nil, of: first)
        #expect(try await administration.largeBlob(of: first) == nil)
        #expect(try await administration.largeBlob(of: second) == [2])
        // To remove what is not there changes nothing, and needs no PIN.
        let asked = fixture.person.log.pinRequests.count
        try await administration.setLargeBlob(nil, of: first)
        #expect(fixture.person.log.pinRequests.count == asked)
    }

    @Test("data of credentials are refused without storage or without a key for them")
    func largeBlobRefusals() async throws {
        let fixture = try ClientFixture(person: pins(12))
        let administration = try await administration(fixture)
        try await administration.setPIN(Self.pin)
        try await register(fixture, user: 1, blob: true)
        try await register(fixture, user: 2)
        let found = try await administration.credentials()
        let plain = try #require(found.first { $0.largeBlobKey == nil })
        await #expect(throws: SecurityKeyError.unsupported("data of this credential")) {
            try await administration.setLargeBlob([1], of: plain)
        }
        let able = try #require(found.first { $0.largeBlobKey != nil })
        let huge = SeededRandom(seed: 10).bytes(5000)
        await #expect(throws: SecurityKeyError.largeBlobStoreFull) {
            try await administration.setLargeBlob(huge, of: able)
        }
        #expect(try await administration.largeBlob(of: able) == nil)
    }

    @Test("data without a credential are removed, the others stay")
    func orphanedLargeBlobs() async throws {
        let fixture = try ClientFixture(person: pins(30))
        let administration = try await administration(fixture)
        try await administration.setPIN(Self.pin)
        for user: UInt8 in 1...2 { try await register(fixture, user: user, blob: true) }
        let found = try await administration.credentials()
        for credential in found {
            try await administration.setLargeBlob(credential.user.id, of: credential)
        }
        // A program without support of large blobs deletes only the credential. The same account is
        // then registered again.
        try await register(fixture, user: 1, blob: true)
        #expect(try await administration.removeOrphanedLargeBlobs() == 1)
        let rest = try await administration.credentials()
        let kept = try #require(rest.first { $0.user.id == [2] })
        #expect(try await administration.largeBlob(of: kept) == [2])
    }

    @Test("an enrolment that the person breaks off leaves no finger, and the next one is whole")
    func brokenEnrolment() async throws {
        var configuration = AuthenticatorConfiguration()
        configuration.verification = .fingerprint
        let gesture = ScriptedGesture()
        let fixture = try ClientFixture(configuration, person: pins(12), gesture: gesture)
        let administration = try await administration(fixture)
        try await administration.setPIN(Self.pin)
        // Without samples the client gives up after the number that any finger requires.
        for _ in 0..<70 { gesture.sample(as: .noUserActivity) }
        await #expect(
            throws: SecurityKeyError.untrustworthyReply("more samples than any finger needs")
        ) {
            try await administration.enrolFingerprint(name: "thumb")
        }
        for _ in 0..<6 { gesture.sample(as: .good) }
        #expect(try await administration.fingerprints().isEmpty)
    }

    @Test(
        "fingerprints are distinguished by their ids; a full sensor and an unknown id are refused")
    func manyFingers() async throws {
        var configuration = AuthenticatorConfiguration()
        configuration.verification = .fingerprint
        configuration.maximumFingerprints = 2
        configuration.samplesPerFingerprint = 1
        let fixture = try ClientFixture(
            configuration, person: pins(30), gesture: ScriptedGesture())
        let administration = try await administration(fixture)
        try await administration.setPIN(Self.pin)
        let left = try await administration.enrolFingerprint(name: "left")
        let right = try await administration.enrolFingerprint(name: "right")
        #expect(left.id != right.id)
        await #expect(throws: SecurityKeyError.fingerprintStoreFull) {
            try await administration.enrolFingerprint(name: "third")
        }
        try await administration.removeFingerprint(left)
        #expect(try await administration.fingerprints().map(\.friendlyName) == ["right"])
        await #expect(throws: SecurityKeyError.self) {
            try await administration.renameFingerprint(left.id, to: "gone")
        }
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

    @Test("the configuration is changed, and the key reports it")
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
