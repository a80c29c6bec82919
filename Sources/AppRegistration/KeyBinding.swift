// SPDX-License-Identifier: Apache-2.0
import Crypto
package import JOSE
import Primitives

/// The value that binds a registration's evidence to the new key and to this moment: SHA-256(nonce
/// ‖ public key). The nonce is hashed as the ASCII text that was issued; the key as its canonical
/// JSON (RFC 7638 section 3.1).
///
/// Attestations contain these 32 bytes as their challenge. The key itself signs them, which proves
/// its possession.
package struct KeyBinding: Sendable, Equatable {
    /// 32 bytes.
    package let bytes: [UInt8]
    private let key: InstallationKey

    package init(nonce: String, key: InstallationKey) {
        bytes = Array(SHA256.hash(data: Array(nonce.utf8) + key.jwk.canonicalBytes))
        self.key = key
    }

    /// `typ` of the proof.
    package static let proofType = "app-key-proof"

    /// The key's signature: a compact JWS whose payload is ``bytes``.
    package func proof(signedBy signer: JOSESigner) throws(JOSEError) -> String {
        String(decoding: try signer.sign(payload: bytes, typ: Self.proofType), as: UTF8.self)
    }

    /// Whether `proof` is the key's own signature over this binding.
    package func isProven(by proof: String) -> Bool {
        let verifier = JWSVerifier(key: .publicKey(key.jwk), algorithms: [key.algorithm])
        guard let jws = try? verifier.verify(compact: proof, maximumBytes: 4096),
            jws.header.isType(Self.proofType)
        else { return false }
        return ConstantTime.equal(jws.payload, bytes)
    }
}
