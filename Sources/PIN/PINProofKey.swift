// SPDX-License-Identifier: Apache-2.0
import Crypto
package import JOSE
package import Primitives

/// A key of the provider that opens the proofs of version 2. It opens nothing else: it is published
/// for this purpose only, with ``PINProofPublicKey/algorithm``.
///
/// A proof is an HMAC under the secret. If a thief has the opened store and a recorded request, each
/// PIN could be tried on a proof that is not sealed.
package struct PINProofKey: Sendable {
    private let key: P256.KeyAgreement.PrivateKey
    package let publicKey: PINProofPublicKey

    /// - Parameter scalar: 32 bytes, otherwise `nil`.
    package init?(scalar: Secret) {
        guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: scalar.reveal()),
            let publicKey = PINProofPublicKey(point: Array(key.publicKey.x963Representation))
        else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    /// Opens the tag of a proof; `nil` if it was sealed to another key, for another request or in
    /// another form.
    func open(
        _ proof: PINSealedProof, version: UInt32, nonce: PINNonce, _ binding: PINBinding
    ) -> [UInt8]? {
        let tag = try? PINEncryption.open(
            proof.box, with: key,
            info: PINProofPublicKey.info(binding, version: version, nonce: nonce),
            authenticating: publicKey.point)
        return tag?.count == PINProof.length ? tag : nil
    }
}

/// The public half, as a device reads it from the provider's JWK set.
package struct PINProofPublicKey: Sendable, Equatable {
    /// `alg` of the JWK. The name is not registered, so that no other protocol uses the key.
    package static let algorithm = "gatehouse-pin2-proof"

    package let jwk: PublicJWK
    /// The uncompressed point, 65 bytes.
    let point: [UInt8]
    /// The SHA-256 thumbprint (RFC 7638), 32 bytes.
    package let keyID: [UInt8]

    /// Reads a key of that purpose: `use` `enc`, this `alg`, P-256.
    package init?(_ key: PublicJWK) {
        guard key.parameters.use == "enc", key.parameters.algorithm == Self.algorithm,
            case .ellipticCurve(.p256, let x, let y) = key.material
        else { return nil }
        jwk = key
        point = [4] + x + y
        keyID = key.thumbprint
    }

    /// Returns the first key of that purpose in a set; `nil` if there is none.
    package init?(in keys: JWKSet) {
        guard let key = keys.keys.lazy.compactMap({ $0.publicKey.flatMap { Self($0) } }).first
        else { return nil }
        self = key
    }

    fileprivate init?(point: [UInt8]) {
        guard
            let bare = try? PublicJWK(
                .ellipticCurve(.p256, x: Array(point[1..<33]), y: Array(point[33...])),
                parameters: KeyParameters()),
            let key = try? bare.with(
                KeyParameters(keyID: bare.thumbprintText, use: "enc", algorithm: Self.algorithm))
        else { return nil }
        self.init(key)
    }

    fileprivate static func info(
        _ binding: PINBinding, version: UInt32, nonce: PINNonce
    ) -> [UInt8] {
        var transcript = PINTranscript(.sealedProof, binding, .two)
        transcript.append(version)
        transcript.append(nonce.bytes)
        return transcript.bytes
    }

    /// Seals a proof for one request.
    func seal(
        _ proof: PINProof, nonce: PINNonce, _ binding: PINBinding
    ) throws -> PINSentProof {
        let box = try PINEncryption.seal(
            proof.tag, to: .p256(point),
            info: Self.info(binding, version: proof.version, nonce: nonce), authenticating: point)
        return PINSentProof(
            version: proof.version, content: .sealed(PINSealedProof(keyID: keyID, box: box)))
    }
}

/// A proof as it is sent.
struct PINSentProof: Sendable, Equatable {
    /// The number of the secret, from 1.
    let version: UInt32
    let content: Content

    enum Content: Sendable, Equatable {
        /// The tag, in version 1.
        case plain([UInt8])
        case sealed(PINSealedProof)
    }
}

/// A tag that is sealed to the key with that thumbprint.
struct PINSealedProof: Sendable, Equatable {
    let keyID: [UInt8]
    let box: PINSecretBox
}
