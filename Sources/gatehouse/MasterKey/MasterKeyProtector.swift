// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Crypto
import MasterKeyFormat
import PKCS11
import PasswordHashing
import Primitives

/// What seals the master key.
enum MasterKeyProtector: Sendable {
    case passphrase(Secret)
    case token(TokenKeys)

    /// 64 MiB, three passes, four lanes: the second recommendation of RFC 9106 section 4. It is
    /// computed once at each start.
    static let usualCost = Argon2Parameters(memory: 65_536, iterations: 3, lanes: 4)
    private static let purpose = "gatehouse/master-key"
    private static let label = "gatehouse master key"

    /// Blocks.
    ///
    /// - Parameter cost: of a passphrase.
    func seal(
        _ master: Secret, cost: Argon2Parameters, random: any RandomSource
    ) throws -> SealedMasterKey {
        switch self {
        case .passphrase(let passphrase):
            let salt = random.bytes(16)
            return try .seal(
                master, with: try Self.key(passphrase, cost, salt),
                .passphrase(cost, salt: salt), random: random)
        case .token(let token):
            let (key, sealed) = try Self.placed {
                () throws(PKCS11Error) in
                try TokenSealedKey.create(
                    on: token, label: Self.label, purpose: Self.purpose, random: random)
            }
            return try .seal(master, with: key, .token(sealed), random: random)
        }
    }

    static func open(_ sealed: SealedMasterKey, _ passphrase: Secret) throws -> Secret? {
        guard case .passphrase(let cost, let salt) = sealed.parameters else { return nil }
        return sealed.open(with: try key(passphrase, cost, salt))
    }

    static func open(_ sealed: SealedMasterKey, _ token: TokenKeys) throws -> Secret? {
        guard case .token(let key) = sealed.parameters else { return nil }
        let opened = try placed { () throws(PKCS11Error) in
            try key.open(with: token, purpose: purpose)
        }
        return sealed.open(with: opened)
    }

    /// Logs in to the token.
    static func verifyPIN(_ token: TokenKeys) throws {
        try placed { () throws(PKCS11Error) in try token.logIn() }
    }

    /// Deletes the key on the token of a file that was not saved.
    ///
    /// - Parameter path: the file, if writing it was tried. A write that failed can have replaced the
    ///   file, for example if its directory could not be synchronized. Then the key stays, and also if
    ///   the file cannot be read.
    func discard(_ sealed: SealedMasterKey, unlessIn path: String?) {
        guard case .token(let token) = self, case .token(let key) = sealed.parameters else {
            return
        }
        do {
            if let path, try SecretFile.read(path)?.trimmedLine == sealed.line { return }
            try token.destroy(key.name)
        } catch {}
    }

    private static func key(
        _ passphrase: Secret, _ cost: Argon2Parameters, _ salt: [UInt8]
    ) throws -> SymmetricKey {
        let password = passphrase.reveal()
        defer {
            Secret.overwrite(password)
            HashingPool.releaseUnusedMemory()
        }
        return SymmetricKey(
            data: try Argon2.tag(password: password, salt: salt, parameters: cost, length: 32))
    }

    /// An error of the token, with the setting to correct.
    private static func placed<Value>(
        _ call: () throws(PKCS11Error) -> Value
    ) throws(CommandError) -> Value {
        do throws(PKCS11Error) { return try call() } catch {
            let (setting, remedy) =
                switch error {
                case .module: ("master-key-pkcs11-module", "")
                case .noToken, .noKey, .refused, .malformed: ("master-key-token", "")
                case .pinIncorrect, .pinWithheld(.low):
                    (
                        "master-key-pin-file",
                        "; correct the PIN, then run gatehouse master-key verify"
                    )
                case .pinLocked, .pinWithheld:
                    ("master-key-pin-file", "; unlock it with the programs of the token")
                }
            throw CommandError("\(error)\(remedy)", setting: setting)
        }
    }
}
