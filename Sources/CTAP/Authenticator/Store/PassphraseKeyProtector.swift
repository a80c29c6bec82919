// SPDX-License-Identifier: Apache-2.0
package import Crypto
package import PasswordHashing
package import Primitives

/// A vault behind a passphrase, stretched with Argon2id.
///
/// Its description holds the salt and the costs: `{0: 1, 1: salt, 2: KiB, 3: passes, 4: lanes}`.
package struct PassphraseKeyProtector: KeyProtector {
    private static let kind: UInt8 = 1
    private let passphrase: Secret
    private let parameters: Argon2Parameters

    /// Creates a vault for a passphrase.
    ///
    /// - Parameter parameters: The cost of a new store. An existing store contains its own.
    package init(_ passphrase: Secret, parameters: Argon2Parameters = .standard) {
        self.passphrase = passphrase
        self.parameters = parameters
    }

    package func create(
        random: any RandomSource
    ) throws(AuthenticatorStoreError) -> (key: SymmetricKey, description: [UInt8]) {
        let salt = random.bytes(16)
        var writer = CTAPMapWriter()
        writer.set(0, octet: Self.kind)
        writer.set(1, bytes: salt)
        writer.set(2, unsigned: UInt64(parameters.memory))
        writer.set(3, unsigned: UInt64(parameters.iterations))
        writer.set(4, unsigned: UInt64(parameters.lanes))
        return (try key(salt, parameters), writer.encoded)
    }

    package func open(_ description: [UInt8]) throws(AuthenticatorStoreError) -> SymmetricKey {
        guard let reader = try? CTAPMapReader(description, "vault"),
            (try? reader.octet(0, "kind")) == Self.kind,
            let salt = try? reader.bytes(1, "salt", lengths: 16...64),
            let memory = (try? reader.unsigned(2, "memory")).flatMap(UInt32.init(exactly:)),
            let iterations = (try? reader.unsigned(3, "passes")).flatMap(UInt32.init(exactly:)),
            let lanes = (try? reader.unsigned(4, "lanes")).flatMap(UInt32.init(exactly:))
        else { throw .locked }
        return try key(
            salt, Argon2Parameters(memory: memory, iterations: iterations, lanes: lanes))
    }

    private func key(
        _ salt: [UInt8], _ parameters: Argon2Parameters
    ) throws(AuthenticatorStoreError) -> SymmetricKey {
        // The file contains the costs; ``Argon2`` refuses values out of bounds.
        do {
            return SymmetricKey(
                data: try Argon2.tag(
                    password: passphrase.reveal(), salt: salt, parameters: parameters, length: 32))
        } catch { throw .derivation }
    }
}
