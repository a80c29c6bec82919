// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import JOSE
import MasterKeyFormat
import PasswordHashing
import Primitives
import ProviderCore
import ProviderSupport
import StorageSQLite
import Support
import Testing

@testable import gatehouse

/// A master key that is sealed to a passphrase.
@Suite struct SealedMasterKeyTests {
    private let folder = TestFolder()
    private static let passphrase = "correct horse battery"

    private func file(
        _ passphrase: String? = Self.passphrase, at name: String = "master.key"
    ) -> MasterKeyFile {
        MasterKeyFile(
            path: folder.path(name), passphrase: passphrase.map { Secret($0) },
            cost: TestProvider.cheapest)
    }

    private func refusal(_ body: () throws -> Any?) -> CommandError? {
        do {
            _ = try body()
            return nil
        } catch { return error as? CommandError ?? CommandError("\(error)") }
    }

    @Test("A new key is sealed to the configured passphrase, and only that opens it")
    func sealed() throws {
        let (key, _) = try file().create(SeededRandom(seed: 1))
        let content = try #require(try SecretFile.read(folder.path("master.key")))
        let text = String(decoding: content, as: UTF8.self)
        #expect(text.hasPrefix("gatehouse-sealed-master-key-1.") && text.hasSuffix("\n"))
        #expect(!text.contains(Base64URL.encode(key.reveal())))
        #expect(try file().read() == key)
    }

    @Test(
        "Attack 99: a wrong passphrase opens nothing, and the message names the setting",
        arguments: ["correct horse", "correct horse battery ", "Correct horse battery", "xyzzy"])
    func wrongPassphrase(_ passphrase: String) throws {
        _ = try file().create(SeededRandom(seed: 1))
        let refusal = refusal { try file(passphrase).read() }
        #expect(refusal?.setting == "master-key-passphrase-file")
        #expect(refusal?.description.contains(passphrase) == false)
        let missing = self.refusal { try file(nil).read() }
        #expect(missing?.description.contains("GATEHOUSE_MASTER_KEY_PASSPHRASE") == true)
    }

    @Test("Attack 99: a sealed key that was truncated is refused, wherever it ends")
    func truncated() throws {
        _ = try file().create(SeededRandom(seed: 1))
        let content = try #require(try SecretFile.read(folder.path("master.key")))
        let line = content.trimmedLine
        for length in 0..<line.count {
            try SecretFile.replace(folder.path("master.key"), Array(line.prefix(length)))
            #expect(refusal { try file().read() } != nil, "\(length)")
        }
        try SecretFile.replace(folder.path("master.key"), line + line)
        #expect(refusal { try file().read() } != nil)
    }

    @Test("Attack 99: a sealed key in which one character was changed is refused, wherever it is")
    func changed() throws {
        _ = try file().create(SeededRandom(seed: 1))
        let line = try #require(try SecretFile.read(folder.path("master.key"))).trimmedLine
        for index in line.indices {
            var other = line
            other[index] = other[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            try SecretFile.replace(folder.path("master.key"), other)
            #expect(refusal { try file().read() } != nil, "\(index)")
        }
    }

    @Test("A file that is not sealed is refused where a passphrase is configured")
    func plain() throws {
        _ = try file(nil).create(SeededRandom(seed: 1))
        let refusal = refusal { try file().read() }
        #expect(refusal?.description.contains("master-key seal") == true)
    }

    @Test("A short passphrase seals nothing, and leaves no file")
    func short() throws {
        let refusal = refusal { try file("eleven char").create(SeededRandom(seed: 1)) }
        #expect(refusal?.description.contains("12 characters") == true)
        #expect(folder.files.isEmpty)
    }

    @Test("Processes that start at once with one sealed file have one key")
    func race() async throws {
        let store = try await SQLiteStore.temporary()
        let file = file()
        let served = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await MasterKeyCheck(store: store, file: file).secrets().fingerprint
                }
            }
            return try await group.reduce(into: []) { $0 += [$1] }
        }
        #expect(Set(served).count == 1 && served.count == 8)
        #expect(folder.files == ["master.key"])
    }

    @Test("Attack 92: of processes that start at once with a sealed file each, one serves")
    func raceOfFiles() async throws {
        let store = try await SQLiteStore.temporary()
        let files = (0..<8).map { file(at: "\($0).key") }
        let served = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            for file in files {
                group.addTask {
                    try? await MasterKeyCheck(store: store, file: file).secrets().fingerprint
                }
            }
            return try await group.reduce(into: []) { $0 += [$1] }
        }
        #expect(served.compactMap(\.self).count == 1)
        #expect(folder.files.count == 1)
    }

    @Test("Attack 92: a sealed key of another database is refused by its fingerprint")
    func fingerprint() async throws {
        let (store, other) = (
            try await SQLiteStore.temporary(), try await SQLiteStore.temporary()
        )
        _ = try await MasterKeyCheck(store: store, file: file()).secrets()
        _ = try await MasterKeyCheck(store: other, file: file(at: "other.key")).secrets()
        let check = MasterKeyCheck(store: store, file: file(at: "other.key"))
        let error = await #expect(throws: CommandError.self) { try await check.secrets() }
        #expect(error?.description.contains("another master key") == true)
        #expect(try await check.fits() == false)
        #expect(folder.files == ["master.key", "other.key"])
    }

    @Test("Attack 99: neither the key nor the passphrase is in a description of the file")
    func redacted() throws {
        let (key, _) = try file().create(SeededRandom(seed: 1))
        var text = ""
        dump(file(), to: &text)
        dump(try file().content(), to: &text)
        text += "\(file()) \(String(reflecting: try file().content()))"
        text += try file().existingContent().description(of: "x").text
        for secret in [Self.passphrase, Base64URL.encode(key.reveal())] {
            #expect(!text.contains(secret))
        }
    }
}
