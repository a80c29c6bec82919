// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import CryptoExtras
import WebAuthn

/// A credential key of RS1 (RSASSA-PKCS1-v1_5 with SHA-1).
package struct RS1CredentialKey: Sendable {
    private let key: _RSA.Signing.PrivateKey

    package init() throws { key = try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    /// `COSE_Key`.
    package var cose: [UInt8] {
        get throws {
            let numbers = try key.publicKey.getKeyPrimitives()
            let entries: [(Int64, CBORValue)] = [
                (1, .integer(3)), (3, .integer(COSEAlgorithm.rs1.rawValue)),
                (-1, .byteString(numbers.modulus)), (-2, .byteString(numbers.publicExponent)),
            ]
            return CBORValue.map(entries.map { CBOREntry(.integer($0), $1) })
                .encoded(ordering: .ctap2)
        }
    }

    package func sign(_ message: [UInt8]) throws -> [UInt8] {
        Array(
            try key.signature(
                for: Insecure.SHA1.hash(data: message), padding: .insecurePKCS1v1_5
            ).rawRepresentation)
    }
}
