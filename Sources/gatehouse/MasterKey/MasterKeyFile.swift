// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import MasterKeyFormat
import PKCS11
import PasswordHashing
import Platform
import Primitives

/// The file of the master key, the one secret from which every other is derived. The key is never
/// in the database. All calls block.
struct MasterKeyFile: Sendable {
    enum Content: Sendable {
        case plain(Secret)
        case sealed(SealedMasterKey)

        var line: [UInt8] {
            switch self {
            case .plain(let key): Base64URL.encodeBytes(key.reveal())
            case .sealed(let sealed): sealed.line
            }
        }
    }

    let path: String
    var passphrase: Secret?
    /// The setting that has the passphrase; `nil` if a person entered it.
    var passphraseSetting: String? = "master-key-passphrase-file"
    var token: TokenKeys?
    /// Of a new passphrase.
    var cost = MasterKeyProtector.usualCost

    // MARK: Reading

    /// Returns what the file has; `nil` if there is none.
    func content() throws -> Content? {
        guard let line = try SecretFile.read(path)?.trimmedLine else { return nil }
        guard SealedMasterKey.isSealed(line) else {
            guard let bytes = Base64URL.decode(bytes: line), bytes.count >= 32 else {
                throw CommandError(
                    "\(path) is not a master key: it must hold at least 32 bytes in base64url",
                    code: .badInput)
            }
            return .plain(Secret(bytes))
        }
        do throws(SealedMasterKey.ParseError) {
            return .sealed(try SealedMasterKey(line: line))
        } catch {
            throw CommandError(
                error == .newerVersion
                    ? "\(path) was sealed by a later version of gatehouse"
                    : "\(path) is damaged: restore it from a copy", code: .badInput)
        }
    }

    /// Returns the key; `nil` if there is no file. It must be sealed if a passphrase or a token is
    /// configured.
    func read() throws -> Secret? {
        guard let content = try content() else { return nil }
        if case .plain = content, passphrase != nil || token != nil {
            throw CommandError(
                "\(path) is not sealed, but a passphrase or a token is configured; run gatehouse "
                    + "master-key seal, or remove the setting")
        }
        return try open(content)
    }

    func open(_ content: Content) throws -> Secret {
        switch content {
        case .plain(let key): return key
        case .sealed(let sealed):
            switch sealed.parameters {
            case .passphrase: return try openByPassphrase(sealed)
            case .token: return try openByToken(sealed)
            }
        }
    }

    private func openByPassphrase(_ sealed: SealedMasterKey) throws -> Secret {
        guard let passphrase else {
            throw CommandError(
                "\(path) is sealed to a passphrase; set master-key-passphrase-file or "
                    + MasterKeyFile.passphraseVariable, code: .badInput)
        }
        guard let key = try MasterKeyProtector.open(sealed, passphrase) else {
            throw CommandError(
                "the passphrase does not open \(path), or the file was changed",
                setting: passphraseSetting)
        }
        return key
    }

    private func openByToken(_ sealed: SealedMasterKey) throws -> Secret {
        guard let token else {
            throw CommandError(
                "\(path) is sealed to a token; set master-key-pkcs11-module, master-key-token and "
                    + "master-key-pin-file", code: .badInput)
        }
        guard let key = try MasterKeyProtector.open(sealed, token) else {
            throw CommandError(
                "the key on the token does not open \(path): the file was changed",
                setting: "master-key-token")
        }
        return key
    }

    // MARK: Writing

    /// Creates the file with a new key, sealed if a passphrase or a token is configured, or reads
    /// the one that another process has just created. Returns the key, and the content if this call
    /// created the file.
    func create(_ random: some RandomSource) throws -> (key: Secret, made: Content?) {
        var bytes = random.bytes(32)
        let new = Secret(wiping: &bytes)
        let content = try protected(new, random)
        let line = content.line + [UInt8(ascii: "\n")]
        do {
            guard try SecretFile.create(path, line) != line else { return (new, content) }
        } catch {
            discard(content)
            throw error
        }
        discard(content)
        guard let key = try read() else {
            throw CommandError("\(path) was deleted after it was created")
        }
        return (key, nil)
    }

    /// Removes the file that ``create(_:)`` has made.
    func remove(_ made: Content) throws {
        _ = try DurableFile.remove(path)
        discard(made)
    }

    private func protected(_ key: Secret, _ random: some RandomSource) throws -> Content {
        switch (passphrase, token) {
        case (nil, nil): return .plain(key)
        case (let passphrase?, nil):
            return .sealed(try seal(key, to: .passphrase(passphrase), random))
        case (nil, let token?): return .sealed(try seal(key, to: .token(token), random))
        case (_?, _?):
            throw CommandError(
                "a new master key is sealed to a passphrase or to a token; configure one of them",
                code: .badInput, setting: "master-key-pkcs11-module")
        }
    }

    /// Seals the key. The result opens: this is checked, because the key may have no other copy.
    func seal(
        _ key: Secret, to protector: MasterKeyProtector, _ random: some RandomSource
    ) throws -> SealedMasterKey {
        if case .passphrase(let passphrase) = protector {
            try Self.checkLength(of: passphrase, setting: passphraseSetting)
        }
        let sealed = try protector.seal(key, cost: cost, random: random)
        let opened =
            switch protector {
            case .passphrase(let passphrase): try MasterKeyProtector.open(sealed, passphrase)
            case .token(let token): try MasterKeyProtector.open(sealed, token)
            }
        guard opened == key, (try? SealedMasterKey(line: sealed.line)) == sealed else {
            protector.discard(sealed, unlessIn: nil)
            throw CommandError("the sealed key does not open again; nothing was changed")
        }
        return sealed
    }

    private func discard(_ content: Content) {
        guard case .sealed(let sealed) = content, let token else { return }
        MasterKeyProtector.token(token).discard(sealed, unlessIn: path)
    }
}
