// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import MasterKeyFormat
import PKCS11
import Primitives
import ProviderSupport
import Storage
import Support
import Testing

@testable import gatehouse

/// `gatehouse master-key`, and other commands with the configuration of a sealed key.
@Suite struct MasterKeyCommandTests {
    private let folder = TestFolder()
    private var data: String { folder.path("data") }

    private func run(_ words: String...) async throws { try await run(words) }

    private func run(_ words: [String]) async throws {
        var command = try Gatehouse.parseAsRoot(words)
        guard var asynchronous = command as? any AsyncParsableCommand else {
            return try command.run()
        }
        try await asynchronous.run()
    }

    private func write(_ name: String, _ text: String) throws -> String {
        try SecretFile.replace(folder.path(name), Array(text.utf8))
        return folder.path(name)
    }

    /// A data directory with a database and its master key, which is not sealed.
    private func dataDirectory() async throws -> Secret {
        _ = try DataDirectory.open(data)
        let store = try await StoreFactory.open(
            .sqlite(path: "\(data)/gatehouse.sqlite"), migrating: true)
        let file = MasterKeyFile(path: "\(data)/master.key")
        _ = try await MasterKeyCheck(store: store, file: file).secrets()
        await store.maintenance.close()
        return try #require(try file.read())
    }

    private func content() throws -> MasterKeyFile.Content {
        try MasterKeyFile(path: "\(data)/master.key").existingContent()
    }

    @Test("A key is sealed, verified, sealed to another passphrase, and unsealed; it is the same")
    func passphrases() async throws {
        let key = try await dataDirectory()
        let first = try write("first", "the first passphrase\n")
        let second = try write("second", "the second passphrase")
        try await run(
            "master-key", "seal", "--to", "passphrase", "--new-passphrase-file", first,
            "--data-dir", data)
        guard case .sealed(let sealed) = try content() else { throw HarnessError("not sealed") }
        let (old, new) = (Secret("the first passphrase"), Secret("the second passphrase"))
        #expect(try MasterKeyProtector.open(sealed, old) == key)
        try await run("master-key", "show", "--data-dir", data, "--json")
        let flags = ["--data-dir", data, "--master-key-passphrase-file"]
        try await run("master-key", "verify", flags[0], flags[1], flags[2], first)
        await #expect(throws: CommandError.self) {
            try await run("master-key", "verify", flags[0], flags[1], flags[2], second)
        }
        try await run(
            "master-key", "seal", "--to", "passphrase", "--new-passphrase-file", second,
            flags[0], flags[1], flags[2], first)
        guard case .sealed(let again) = try content() else { throw HarnessError("not sealed") }
        #expect(try MasterKeyProtector.open(again, old) == nil)
        #expect(try MasterKeyProtector.open(again, new) == key)
        try await run("master-key", "unseal", flags[0], flags[1], flags[2], second)
        guard case .plain(let plain) = try content() else { throw HarnessError("is sealed") }
        #expect(plain == key)
    }

    @Test("A command that fails leaves the file as it is")
    func refused() async throws {
        _ = try await dataDirectory()
        let before = try SecretFile.read("\(data)/master.key")
        let short = try write("short", "eleven char")
        let taken = try write("taken", "x")
        let good = try write("good", "the first passphrase")
        let seal = ["master-key", "seal", "--to", "passphrase", "--data-dir", data]
        for words in [
            seal + ["--new-passphrase-file", short],
            seal + ["--new-passphrase-file", folder.path("nothing")],
            seal + ["--new-passphrase-file", good, "--copy", taken],
            ["master-key", "seal", "--to", "token", "--data-dir", data],
            ["master-key", "show", "--data-dir", folder.path("nowhere")],
        ] {
            await #expect(throws: (any Error).self) { try await run(words) }
        }
        #expect(try SecretFile.read("\(data)/master.key") == before)
        #expect(try SecretFile.read(taken) == Array("x".utf8))
    }

    @Test("A copy that is sealed to a passphrase leaves the file as it is")
    func copy() async throws {
        let key = try await dataDirectory()
        let passphrase = try write("passphrase", "the first passphrase")
        let copy = folder.path("copy.key")
        try await run(
            "master-key", "seal", "--to", "passphrase", "--new-passphrase-file", passphrase,
            "--copy", copy, "--data-dir", data)
        guard case .plain = try content() else { throw HarnessError("is sealed") }
        let file = MasterKeyFile(path: copy, passphrase: Secret("the first passphrase"))
        #expect(try file.read() == key)
    }

    @Test("verify ends with 1 if the key is that of another database")
    func otherDatabase() async throws {
        _ = try await dataDirectory()
        let other = MasterKeyFile(path: folder.path("other.key"))
        _ = try other.create(SeededRandom(seed: 3))
        let error = await #expect(throws: ExitCode.self) {
            try await run(
                "master-key", "verify", "--data-dir", data, "--master-key-file", other.path)
        }
        #expect(error == ExitCode(1))
    }

    @Test("store commands accept the configuration of a sealed key, and do not need the passphrase")
    func storeCommands() async throws {
        _ = try await dataDirectory()
        let configuration = try write(
            "g.yaml",
            """
            data-dir: \(data)
            master-key-file: \(data)/master.key
            master-key-passphrase-file: \(folder.path("not there"))
            """)
        let backup = folder.path("a.backup")
        try await run("store", "backup", backup, "--config", configuration)
        try await run("store", "verify", "--config", configuration)
        #expect(FileCalls.exists(backup))
        // master-key finds passphrase and key by the same file.
        let passphrase = try write("not there", "the first passphrase")
        try await run(
            "master-key", "seal", "--to", "passphrase", "--new-passphrase-file", passphrase,
            "--config", configuration)
        try await run("master-key", "verify", "--config", configuration)
    }

    @Test(
        "A key is moved from a passphrase to a token, and back",
        .enabled(if: SoftwareTokens.isInstalled, "needs softhsm2, opensc and openssl"))
    func token() async throws {
        _ = try await SharedTokens.ready
        let key = try await dataDirectory()
        let pin = try write("pin", SoftwareTokens.pin + "\n")
        let passphrase = try write("passphrase", "the first passphrase")
        let configuration = try write(
            "g.yaml",
            """
            data-dir: \(data)
            master-key-passphrase-file: \(passphrase)
            master-key-pkcs11-module: \(SoftwareTokens.module)
            master-key-token: \(SharedTokens.masterKey)
            master-key-pin-file: \(pin)
            """)
        try await run(
            "master-key", "seal", "--to", "passphrase", "--new-passphrase-file", passphrase,
            "--config", configuration)
        try await run("master-key", "seal", "--to", "token", "--config", configuration)
        guard case .sealed(let sealed) = try content(), case .token = sealed.parameters else {
            throw HarnessError("not sealed to the token")
        }
        try await run("master-key", "show", "--config", configuration)
        try await run("master-key", "verify", "--config", configuration)
        try await run("master-key", "unseal", "--config", configuration)
        guard case .plain(let plain) = try content() else { throw HarnessError("is sealed") }
        #expect(plain == key)
    }
}
