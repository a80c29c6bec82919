// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
package import PasswordHashing
package import Primitives

/// A device's encryption and decryption of PIN secrets: sealing key( AES-256-CTR under
/// Argon2id(PIN) ( secret ) ).
///
/// Counter mode without a tag is intended. Every PIN decrypts to 32 bytes that could be the secret,
/// so a stolen store does not allow guesses. Only the server can distinguish them, and it limits
/// attempts.
package struct PINSealer: Sendable {
    /// 64 MiB, three passes, four lanes: the parameters of new secrets on a telephone or better.
    package static let standard = Argon2Parameters(memory: 65_536, iterations: 3, lanes: 4)

    private let key: any PINSealingKey
    private let pool: HashingPool
    private let parameters: Argon2Parameters
    private let random: any RandomSource

    /// - Parameters:
    ///   - pool: One thread is enough; Argon2id takes a quarter of a second on it.
    ///   - parameters: For sealing. Opening uses those that a secret was sealed with.
    package init(
        key: any PINSealingKey, pool: HashingPool,
        parameters: Argon2Parameters = PINSealer.standard, random: any RandomSource
    ) {
        self.key = key
        self.pool = pool
        self.parameters = parameters
        self.random = random
    }

    /// Seals a secret under a PIN that a ``DevicePINPolicy`` accepted. Each call uses a fresh salt and a
    /// fresh counter.
    ///
    /// The secret is consumed, so it is sealed once: with one secret sealed twice under one PIN, an
    /// attacker with both could verify a guess.
    package func seal(
        _ secret: consuming DeliveredPINSecret, under pin: borrowing DevicePIN
    ) async throws(PINSealingError) -> (sealed: SealedPINSecret, secret: OpenedPINSecret) {
        let opened = OpenedPINSecret(
            bytes: secret.bytes, version: secret.version, binding: secret.binding)
        let salt = random.bytes(SealedPINSecret.saltLength)
        let counter = random.bytes(SealedPINSecret.initialCounterLength)
        let inner = try await crypt(
            opened.bytes, pin.digits, salt: salt, initialCounter: counter, parameters)
        let context = SealedPINSecret.context(
            opened.binding, opened.version, parameters, salt: salt, initialCounter: counter)
        let box: [UInt8]
        do { box = try await key.seal(inner.withBytes { $0 }, context: context) } catch {
            throw .sealingKey(error)
        }
        let sealed = SealedPINSecret(
            version: opened.version, parameters: parameters, salt: salt, initialCounter: counter,
            box: box)
        return (sealed, opened)
    }

    /// Opens a sealed secret with the entered PIN. Every PIN succeeds.
    ///
    /// - Throws: If the store or the sealing key is damaged or unavailable. The error does not
    ///   depend on the PIN and is not a reason to delete the profile.
    package func open(
        _ sealed: SealedPINSecret, of binding: PINBinding, with pin: borrowing DevicePIN
    ) async throws(PINSealingError) -> OpenedPINSecret {
        let inner: [UInt8]
        do { inner = try await key.open(sealed.box, context: sealed.context(binding)) } catch {
            throw .sealingKey(error)
        }
        guard inner.count == PINSecret.length else { throw .damaged }
        let bytes = try await crypt(
            WipedBytes(inner), pin.digits, salt: sealed.salt,
            initialCounter: sealed.initialCounter, sealed.parameters)
        return OpenedPINSecret(bytes: bytes, version: sealed.version, binding: binding)
    }

    /// Encrypts or decrypts: in counter mode that is one operation.
    private func crypt(
        _ bytes: WipedBytes, _ digits: WipedBytes, salt: [UInt8], initialCounter: [UInt8],
        _ parameters: Argon2Parameters
    ) async throws(PINSealingError) -> WipedBytes {
        do {
            return try await pool.run { () -> Result<WipedBytes, PasswordHashingError> in
                Result { () throws(PasswordHashingError) in
                    var key = try digits.withBytes { (digits) throws(PasswordHashingError) in
                        try Argon2.tag(
                            password: digits, salt: salt, parameters: parameters, length: 32)
                    }
                    defer { WipedBytes.wipe(&key) }
                    return try Self.counterMode(bytes, key: key, initialCounter)
                }
            }
        } catch { throw .derivation(error) }
    }

    private static func counterMode(
        _ bytes: WipedBytes, key: [UInt8], _ initialCounter: [UInt8]
    ) throws(PasswordHashingError) -> WipedBytes {
        let output = try? bytes.withBytes { bytes in
            Array(
                try AES._CTR.encrypt(
                    bytes, using: SymmetricKey(data: key),
                    nonce: AES._CTR.Nonce(nonceBytes: initialCounter)))
        }
        // The lengths are constant, so the library does not refuse them.
        guard let output else { throw .unreasonableParameters }
        return WipedBytes(output)
    }
}

/// An error of sealing or opening a secret. The error does not depend on the PIN.
package enum PINSealingError: Error, Sendable, Equatable {
    case sealingKey(PINSealingKeyError)
    /// The decrypted data are not a secret of this profile.
    case damaged
    /// Argon2id could not be computed: there was too little memory, or too many concurrent
    /// requests.
    case derivation(PasswordHashingError)
}
