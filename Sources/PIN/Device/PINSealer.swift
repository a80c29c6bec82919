// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
package import PasswordHashing
package import Primitives

/// Seals PIN secrets on the device and opens them again:
/// sealing key( AES-256-CTR under Argon2id(PIN) ( secret ) ).
///
/// Counter mode without a tag is the point. Every PIN opens to 32 bytes that could be the secret,
/// so a stolen store cannot be used to try PINs; only the server can tell, and it counts.
package struct PINSealer: Sendable {
    /// 64 MiB, three passes, four lanes: what new secrets are sealed with on a telephone or better.
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

    /// Seals a secret under a PIN that a ``DevicePINPolicy`` accepted. A fresh salt and a fresh counter
    /// every time; and each secret once, which is why it is consumed: of one secret sealed twice
    /// under one PIN, a thief of both could tell when a guess is right.
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

    /// Opens a sealed secret with whatever was typed. There is no wrong PIN here.
    ///
    /// - Throws: When the store or the sealing key is damaged or away. That is never a wrong PIN,
    ///   and never a reason to wipe.
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
        // The lengths are ours; the library has nothing to refuse.
        guard let output else { throw .unreasonableParameters }
        return WipedBytes(output)
    }
}

/// Why a secret could not be sealed or opened. None of these says anything about the PIN.
package enum PINSealingError: Error, Sendable, Equatable {
    case sealingKey(PINSealingKeyError)
    /// What the sealing key opened is no secret of ours.
    case damaged
    /// Argon2id could not be computed: too little memory, or too much asked at once.
    case derivation(PasswordHashingError)
}
