// SPDX-License-Identifier: Apache-2.0
package import Crypto
package import Primitives

/// A key pair for key agreement. The pair of a security key exists until a loss of power, a reset,
/// or a wrong PIN; the pair of a client is used once.
package struct PINKeyAgreement: Sendable {
    private let key: P256.KeyAgreement.PrivateKey

    package init(random: some RandomSource) {
        key = Self.privateKey {
            var bytes = random.bytes(32)
            return Secret(wiping: &bytes)
        }
    }

    package init(_ key: P256.KeyAgreement.PrivateKey) { self.key = key }

    /// One draw in 2^32 lies outside the group's order; three in a row mean a broken generator,
    /// and then the library draws.
    private static func privateKey(_ draw: () -> Secret) -> P256.KeyAgreement.PrivateKey {
        for _ in 0..<3 {
            let key = draw().withBytes {
                try? P256.KeyAgreement.PrivateKey(rawRepresentation: $0)
            }
            if let key { return key }
        }
        return P256.KeyAgreement.PrivateKey()
    }

    package var publicKey: PINKeyAgreementKey { PINKeyAgreementKey(key.publicKey) }

    /// The secret that this key pair and the other side's public key share (`decapsulate`).
    package func sharedSecret(
        with other: PINKeyAgreementKey, _ pinProtocol: PINProtocol
    ) throws(PINProtocolError) -> PINSharedSecret {
        let secret: SharedSecret
        do { secret = try key.sharedSecretFromKeyAgreement(with: other.key) } catch {
            throw .invalidPublicKey
        }
        return PINSharedSecret(secret, pinProtocol)
    }

    /// The client's half: a fresh public key to send, and the secret (`encapsulate`).
    package static func encapsulate(
        for other: PINKeyAgreementKey, _ pinProtocol: PINProtocol, random: some RandomSource
    ) throws(PINProtocolError) -> (publicKey: PINKeyAgreementKey, secret: PINSharedSecret) {
        let pair = PINKeyAgreement(random: random)
        return (pair.publicKey, try pair.sharedSecret(with: other, pinProtocol))
    }
}
