// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A device's encryption and decryption of PIN secrets: sealing key( secret XOR PBKDF2(PIN) ).
///
/// That the inner layer has no tag is intended. Every PIN decrypts to 32 bytes that could be the
/// secret, so a stolen store does not allow guesses. Only the server can distinguish them, and it
/// limits attempts.
package struct PINSealer: Sendable {
    private let key: any PINSealingKey
    private let stretching: PINStretching
    private let version1: (any PINVersion1Stretching)?
    private let random: any RandomSource

    /// - Parameter version1: Opens the secrets that version 1 sealed; `nil` opens none of them.
    package init(
        key: any PINSealingKey, stretching: PINStretching = .standard,
        version1: (any PINVersion1Stretching)? = nil, random: any RandomSource
    ) {
        self.key = key
        self.stretching = stretching
        self.version1 = version1
        self.random = random
    }

    /// Whether this device can open the secret, apart from its sealing key.
    package func supports(_ sealed: SealedPINSecret) -> Bool {
        !sealed.isOutdated || version1 != nil
    }

    /// Seals a secret under a PIN that a ``DevicePINPolicy`` accepted. Each call uses a fresh salt.
    ///
    /// The secret is consumed, so it is sealed once: with one secret sealed twice under one PIN, an
    /// attacker with both could verify a guess.
    package func seal(
        _ secret: consuming DeliveredPINSecret, under pin: borrowing DevicePIN
    ) async throws(PINSealingError) -> (sealed: SealedPINSecret, secret: OpenedPINSecret) {
        let opened = OpenedPINSecret(
            bytes: secret.bytes, version: secret.version, binding: secret.binding)
        let salt = random.bytes(PINStretching.saltLength)
        let rounds = stretching.rounds
        let inner = try await stretching.apply(
            pin.digits, salt: salt, rounds: rounds, to: opened.bytes)
        let layer = SealedPINSecret.Layer.version2(rounds: rounds, salt: salt)
        let context = SealedPINSecret.context(opened.binding, opened.version, layer)
        let box: [UInt8]
        do { box = try await key.seal(inner.withBytes { $0 }, context: context) } catch {
            throw .sealingKey(error)
        }
        return (SealedPINSecret(version: opened.version, layer: layer, box: box), opened)
    }

    /// Opens a sealed secret with the entered PIN. Every PIN succeeds.
    ///
    /// - Throws: If the store or the sealing key is damaged or unavailable, or the secret is of
    ///   version 1 and cannot be opened here. The error does not depend on the PIN and is not a
    ///   reason to delete the profile.
    package func open(
        _ sealed: SealedPINSecret, of binding: PINBinding, with pin: borrowing DevicePIN
    ) async throws(PINSealingError) -> OpenedPINSecret {
        guard supports(sealed) else { throw .outdated }
        let content: [UInt8]
        do { content = try await key.open(sealed.box, context: sealed.context(binding)) } catch {
            throw .sealingKey(error)
        }
        guard content.count == PINSecret.length else { throw .damaged }
        let inner = WipedBytes(content)
        let bytes =
            switch (sealed.layer, version1) {
            case (.version2(let rounds, let salt), _):
                try await stretching.apply(pin.digits, salt: salt, rounds: rounds, to: inner)
            case (.version1(let layer), let version1?):
                try await layer.open(inner, pin.digits, with: version1)
            case (.version1, nil): throw .outdated
            }
        return OpenedPINSecret(bytes: bytes, version: sealed.version, binding: binding)
    }
}

/// An error of sealing or opening a secret. The error does not depend on the PIN.
package enum PINSealingError: Error, Sendable, Equatable {
    case sealingKey(PINSealingKeyError)
    /// The decrypted data are not a secret of this profile.
    case damaged
    /// The key could not be derived from the PIN: there was too little memory.
    case derivation
    /// Version 1 sealed the secret, and this device has nothing to open it with. The person
    /// registers again.
    case outdated
}
