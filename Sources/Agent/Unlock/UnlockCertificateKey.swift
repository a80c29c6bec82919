// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import WebAuthn

/// Reads the key that a person's secrets are sealed to out of the certificate of the key service.
enum UnlockCertificateKey {
    /// `nil` unless it is a certificate with a key on P-256. Who signed it does not matter: it came
    /// in an answer that only the provider could encrypt.
    static func read(_ certificate: [UInt8]) -> PublicJWK? {
        guard let key = try? AttestationChain(der: [certificate]).leaf.publicKey,
            key.x963?.count == 65
        else { return nil }
        return key
    }
}
