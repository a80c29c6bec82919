// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import MasterKeyFormat
import PKCS11
import Primitives
import ProviderCore
import StorageSQLite
import Support
import Testing

@testable import gatehouse

/// A master key that is sealed to a key on a token, here of SoftHSM.
@Suite(.enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
struct MasterKeyTokenTests {
    private let folder = TestFolder()

    private func file(
        _ label: String = SharedTokens.masterKey, pin: String = SoftwareTokens.pin,
        _ caution: PINCaution = .afterWrongPIN, at name: String = "master.key"
    ) async throws -> MasterKeyFile {
        _ = try await SharedTokens.ready
        let token = TokenKeys(
            module: SoftwareTokens.module, label: label, pin: Secret(pin), caution: caution)
        return MasterKeyFile(path: folder.path(name), token: token)
    }

    private func create(_ file: MasterKeyFile) async throws -> Secret {
        try await blocking { try file.create(SystemRandomSource()).key }
    }

    private func read(_ file: MasterKeyFile) async throws -> Secret? {
        try await blocking { try file.read() }
    }

    private func refusal(_ file: MasterKeyFile) async -> CommandError? {
        do {
            _ = try await read(file)
            return nil
        } catch { return error as? CommandError ?? CommandError("\(error)") }
    }

    @Test("A new key is sealed to the token, and opens with it")
    func sealed() async throws {
        let file = try await file()
        let key = try await create(file)
        let line = try #require(try SecretFile.read(file.path))
        #expect(!String(decoding: line, as: UTF8.self).contains(Base64URL.encode(key.reveal())))
        #expect(try await read(file) == key)
    }

    @Test("A missing token and a missing module are refused, with the setting")
    func missing() async throws {
        _ = try await create(try await file())
        let other = await refusal(try await file("no such token"))
        #expect(other?.setting == "master-key-token")
        #expect(other?.description.contains("a token no such token is not there") == true)
        let token = TokenKeys(
            module: "/nowhere/module.so", label: nil, pin: Secret(SoftwareTokens.pin))
        let module = await refusal(
            MasterKeyFile(path: folder.path("master.key"), token: token))
        #expect(module?.setting == "master-key-pkcs11-module")
        let none = await refusal(MasterKeyFile(path: folder.path("master.key")))
        #expect(none?.description.contains("master-key-pkcs11-module") == true)
    }

    @Test("Another token does not open it, nor the same one without its key")
    func otherToken() async throws {
        let file = try await file()
        _ = try await create(file)
        let other = await refusal(try await self.file(SharedTokens.other))
        #expect(other?.description.contains("not on that token") == true)
        guard case .sealed(let sealed)? = try file.content(),
            case .token(let key) = sealed.parameters
        else { throw HarnessError("not sealed") }
        try await blocking { try file.token?.destroy(key.name) }
        #expect(await refusal(file)?.description.contains("not on that token") == true)
    }

    @Test("Attack 99: a key sealed to a token that was truncated or changed is refused")
    func changed() async throws {
        let file = try await file()
        _ = try await create(file)
        let line = try #require(try SecretFile.read(file.path)).trimmedLine
        for length in [0, 29, 30, 31, line.count / 2, line.count - 1] {
            try SecretFile.replace(file.path, Array(line.prefix(length)))
            #expect(await refusal(file) != nil, "\(length)")
        }
        // The name of the key, the point, the ciphertext and the tag.
        for index in [33, 70, line.count - 60, line.count - 3] {
            var other = line
            other[index] = other[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            try SecretFile.replace(file.path, other)
            #expect(await refusal(file) != nil, "\(index)")
        }
    }

    @Test("Attack 100: a wrong PIN is sent once, however often a process starts")
    func wrongPIN() async throws {
        let label = SharedTokens.masterKeyPIN
        let right = try await file(label)
        let key = try await create(right)
        let wrong = try await file(label, pin: "000000")
        let first = await refusal(wrong)
        #expect(first?.setting == "master-key-pin-file")
        #expect(first?.description.hasPrefix("the PIN is wrong") == true)
        for file in [wrong, wrong, right] {
            let later = await refusal(file)
            #expect(later?.description.hasPrefix("the PIN was not sent") == true)
            #expect(later?.description.contains("gatehouse master-key verify") == true)
        }
        // By hand the PIN is sent again. The right one allows further starts.
        #expect(try await read(try await file(label, .beforeLock)) == key)
        #expect(try await read(right) == key)
    }

    @Test("Processes that start at once with one file and one token have one key")
    func race() async throws {
        let store = try await SQLiteStore.temporary()
        let file = try await file()
        let served = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await MasterKeyCheck(store: store, file: file).secrets().fingerprint
                }
            }
            return try await group.reduce(into: []) { $0 += [$1] }
        }
        #expect(Set(served).count == 1 && served.count == 4)
        #expect(folder.files == ["master.key"])
    }

    @Test("Attack 92: a key sealed to a token, of another database, is refused")
    func fingerprint() async throws {
        let (store, other) = (
            try await SQLiteStore.temporary(), try await SQLiteStore.temporary()
        )
        _ = try await MasterKeyCheck(store: store, file: try await file()).secrets()
        let second = try await file(at: "other.key")
        _ = try await MasterKeyCheck(store: other, file: second).secrets()
        let error = await #expect(throws: CommandError.self) {
            try await MasterKeyCheck(store: store, file: second).secrets()
        }
        #expect(error?.description.contains("another master key") == true)
    }

    @Test("A passphrase and a token seal no new key together, and each opens an existing one")
    func both() async throws {
        var both = try await file()
        both.passphrase = Secret("correct horse battery")
        let ambiguous = both
        await #expect(throws: CommandError.self) {
            try await blocking { try ambiguous.create(SeededRandom(seed: 1)) }
        }
        #expect(folder.files.isEmpty)
        let key = try await create(try await file())
        #expect(try await read(both) == key)
    }
}
