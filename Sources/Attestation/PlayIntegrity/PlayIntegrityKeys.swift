// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
package import Primitives

/// The two keys of an app that the Play Console issues for classic requests ("Manage and download
/// my response encryption keys").
package struct PlayIntegrityKeys: Sendable {
    let decrypter: JWEDecrypter
    let verifier: JWSVerifier

    private static let decryptionBytes = 32

    /// - Parameters:
    ///   - decryption: Base64 of 32 bytes, AES-256.
    ///   - verification: Base64 of `SubjectPublicKeyInfo`, P-256.
    package init?(decryption: Secret, verification: String) {
        guard let shared = Base64.decode(decryption.revealText()),
            shared.count == Self.decryptionBytes,
            let info = Base64.decode(verification),
            let point = try? P256.Signing.PublicKey(derRepresentation: info).rawRepresentation,
            let symmetric = try? SymmetricJWK(Secret(shared), parameters: KeyParameters()),
            let key = try? PublicJWK(
                .ellipticCurve(.p256, x: Array(point.prefix(32)), y: Array(point.suffix(32))),
                parameters: KeyParameters())
        else { return nil }
        decrypter = JWEDecrypter(
            key: .symmetricKey(symmetric), algorithms: [.a256KW], encryptions: [.a256GCM])
        verifier = JWSVerifier(key: .publicKey(key), algorithms: [.es256])
    }
}
