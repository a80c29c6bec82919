// SPDX-License-Identifier: Apache-2.0
import AgentClient
import CTAP
import Foundation
import JOSE
import Platform
import PlatformSSO
import Primitives
import Support
import Testing

@testable import Agent

@Suite struct StateFileTests {
    private let folder = TestFolder()
    private let random = SystemRandomSource()
    private var keys: AgentKeyStore { AgentKeyStore(.file, random: random) }

    private func open(_ disk: any Disk = SystemDisk()) throws -> StateFile {
        try StateFile(folder: folder.path("state"), keys: keys, random: random, disk: disk)
    }

    /// Everything that a record can hold.
    private func record() async throws -> AgentRecord {
        var record = AgentRecord(
            machine: MachineRun.complete().machine, latest: Timestamp(seconds: 1_800_000_000))
        var device = DeviceRecord(
            signing: try await keys.makeSigningKey(), encryption: try await keys.makeAgreementKey())
        var configuration = LoginConfiguration(
            clientID: "platform-sso", issuer: "https://idp.example.com",
            tokenEndpointURL: "https://idp.example.com/token",
            jwksEndpointURL: "https://idp.example.com/jwks")
        configuration.loginRequestEncryptionPublicKey = device.encryption.publicKey
        device.configuration = configuration
        device.registeredAt = record.latest
        device.leavingSince = Timestamp(seconds: 1_790_000_000)
        device.managed.pending[.deviceSigning] = try await keys.makeSigningKey()
        device.managed.offered = [.deviceSigning]
        record.devices[.everyone] = device
        var person = PersonRecord()
        person.loginUserName = "anna@example.com"
        person.key = try await keys.makeSigningKey()
        person.session = SignInSession(
            refreshToken: Secret("gd.token"), idToken: "a.b.c", subject: "s1", groups: ["staff"],
            fullLoginAt: record.latest, refreshedAt: record.latest, expiresAt: record.latest)
        person.unlock = UnlockRecord(certificate: [0x30, 0], context: "context")
        record.people["anna"] = person
        return record
    }

    @Test("What was saved is there again, all of it")
    func roundTrip() async throws {
        let record = try await record()
        try open().save(record)
        #expect(try open().load() == record)
    }

    @Test("A machine that was to leave when an earlier build saved it is still to leave")
    func earlierLeaving() async throws {
        let record = try await record()
        var object = try #require(record.json.object)
        var device = try #require(object["devices"]?.array?.first?.object)
        device["leaving"] = true
        object["devices"] = [.object(device)]
        let read = try AgentRecord(object)
        #expect(read.devices[.everyone]?.leavingSince == record.latest)
        device["leaving"] = nil
        object["devices"] = [.object(device)]
        #expect(try AgentRecord(object).devices[.everyone]?.isLeaving == false)
    }

    @Test("A folder without a state has none, and says so")
    func empty() throws {
        #expect(try open().load() == nil)
        #expect(try StateFile.kind(in: folder.path("state")) == nil)
    }

    @Test("Nothing secret is in the file")
    func sealed() async throws {
        try open().save(try await record())
        let bytes = try Data(contentsOf: URL(filePath: folder.path("state/state")))
        for secret in ["gd.token", "anna", "a.b.c"] {
            #expect(bytes.firstRange(of: Data(secret.utf8)) == nil)
        }
    }

    @Test("Wherever a write is cut off, the old record or the new one is there")
    func crash() async throws {
        let before = try await record()
        try open().save(before)
        var after = before
        after.people["bea"] = PersonRecord()
        for stop in StoppedDisk.Step.allCases {
            try open().save(before)
            let disk = StoppedDisk()
            disk.strike(at: stop)
            let file = try open(disk)
            #expect(throws: AuthenticatorStoreError.system(call: "power", code: 0)) {
                try file.save(after)
            }
            #expect(try file.load() == (stop < .renamed ? before : after), "\(stop)")
        }
    }

    @Test("Two agents never share a state")
    func locked() throws {
        let first = try open()
        #expect(throws: AuthenticatorStoreError.inUse) { try open() }
        _ = first
    }

    @Test("A state that was changed, cut short, or has another key is refused")
    func tampered() async throws {
        try open().save(try await record())
        let path = folder.path("state/state")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var changed = bytes
        changed[bytes.count - 1] ^= 1
        var head = bytes
        head[10] ^= 1
        for content in [changed, head, Array(bytes.dropLast()), Array(bytes.prefix(20)), []] {
            try Data(content).write(to: URL(filePath: path))
            #expect(throws: AuthenticatorStoreError.self) { try open().load() }
        }
        try Data(bytes).write(to: URL(filePath: path))
        try Data(random.bytes(32)).write(to: URL(filePath: folder.path("state/key")))
        #expect(throws: AuthenticatorStoreError.locked) { try open() }
    }

    @Test("A state of a TPM is never opened as that of a file, nor the other way")
    func otherStore() async throws {
        try open().save(try await record())
        #expect(
            throws: KeyStoreError.otherStore(found: .file, wanted: .tpm)
        ) {
            try StateFile(
                folder: folder.path("state"), keys: AgentKeyStore(.tpm, random: random),
                random: random)
        }
        #expect(try StateFile.kind(in: folder.path("state")) == .file)
    }

    @Test(
        "A state that a TPM sealed opens with that TPM and no other",
        .enabled(if: AgentKeyStoreTests.hasTPM, "needs swtpm"))
    func tpm() async throws {
        let (own, other) = (try await SoftwareTPM(), try await SoftwareTPM())
        let record = try await record()
        let path = folder.path("sealed")
        let open = { @Sendable (tpm: SoftwareTPM) throws -> StateFile in
            let random = SystemRandomSource()
            return try StateFile(
                folder: path, keys: AgentKeyStore(.tpm, tpm: tpm.path, random: random),
                random: random)
        }
        try await blocking { try open(own).save(record) }
        let loaded = try await blocking { try open(own).load() }
        #expect(loaded == record)
        await #expect(throws: AuthenticatorStoreError.locked) {
            try await blocking { try open(other) }
        }
        #expect(!FileManager.default.fileExists(atPath: path + "/key"))
    }

    @Test(
        "A state that a token sealed opens with that token and no other",
        .enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
    func token() async throws {
        let (own, other) = (
            try await AgentKeyStoreTests.onToken(SharedTokens.machine),
            try await AgentKeyStoreTests.onToken(SharedTokens.other)
        )
        let (record, path) = (try await record(), folder.path("token"))
        let open = { @Sendable (keys: AgentKeyStore) throws -> StateFile in
            try StateFile(folder: path, keys: keys, random: SystemRandomSource())
        }
        try await blocking { try open(own).save(record) }
        #expect(try await blocking { try open(own).load() } == record)
        #expect(try StateFile.kind(in: path) == .pkcs11)
        await #expect(throws: (any Error).self) { try await blocking { try open(other) } }
        await #expect(throws: KeyStoreError.otherStore(found: .pkcs11, wanted: .file)) {
            try await blocking { try open(AgentKeyStore(.file, random: SystemRandomSource())) }
        }
        #expect(!FileManager.default.fileExists(atPath: path + "/key"))
    }
}
