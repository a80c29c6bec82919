// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A signer of the messages of one profile on one device to its issuer, in version 2.
///
/// Store the bytes of a sign-in until its response arrives, and send the same bytes again if the
/// response is lost: the same bytes are counted once.
package struct PINRequestSigner: Sendable {
    package let binding: PINBinding
    private let key: any PINDeviceKey
    private let algorithm: JWSAlgorithm
    private let proofKey: PINProofPublicKey?

    /// Returns `nil` for a key that cannot sign requests.
    ///
    /// - Parameter proofKey: The provider's key to which proofs are sealed. Without it, requests with
    ///   a proof throw ``NoProofKey``.
    package init?(issuer: String, key: any PINDeviceKey, proofKey: PINProofPublicKey? = nil) {
        guard let algorithm = PINDeviceAlgorithm.pinned(for: key.publicKey) else { return nil }
        binding = PINBinding(issuer: issuer, keyID: PINKeyID(key.publicKey))
        self.key = key
        self.algorithm = algorithm
        self.proofKey = proofKey
    }

    private init(_ other: PINRequestSigner, proofKey: PINProofPublicKey) {
        (binding, key, algorithm) = (other.binding, other.key, other.algorithm)
        self.proofKey = proofKey
    }

    /// A request needs a proof, and the provider's key for it is unknown.
    package struct NoProofKey: Error {}

    /// Returns the signer that seals proofs to that key of the provider.
    package func sealing(to proofKey: PINProofPublicKey) -> PINRequestSigner {
        PINRequestSigner(self, proofKey: proofKey)
    }

    /// Returns a request for the first secret, within a registration.
    package func firstOffer(
        to transportKey: PINTransportPublicKey, nonce: PINNonce
    ) async throws -> [UInt8] {
        try await sign(.offer(transportKey, proof: nil), nonce)
    }

    /// Returns a request for the next secret, to change the PIN.
    package func nextOffer(
        to transportKey: PINTransportPublicKey, proving secret: OpenedPINSecret, nonce: PINNonce
    ) async throws -> [UInt8] {
        let proof = try proof(of: secret, .change(transportKey), nonce)
        return try await sign(.offer(transportKey, proof: proof), nonce)
    }

    /// Returns a sign-in. With the offered secret it is also the statement that this secret is
    /// sealed and durably stored.
    package func signIn(with secret: OpenedPINSecret, nonce: PINNonce) async throws -> [UInt8] {
        try await sign(.signIn(try proof(of: secret, .signIn, nonce)), nonce)
    }

    /// Returns the statement that the offered secret is sealed and durably stored.
    package func commit(_ secret: OpenedPINSecret, nonce: PINNonce) async throws -> [UInt8] {
        try await sign(.commit(try proof(of: secret, .commit, nonce)), nonce)
    }

    /// Returns a request for the active version, which withdraws the offered one unless it is
    /// active.
    package func resolve(_ offered: SealedPINSecret, nonce: PINNonce) async throws -> [UInt8] {
        try await sign(.resolve(version: offered.version), nonce)
    }

    private func proof(
        of secret: OpenedPINSecret, _ purpose: PINProof.Purpose, _ nonce: PINNonce
    ) throws -> PINSentProof {
        guard let proofKey else { throw NoProofKey() }
        return try proofKey.seal(secret.proof(purpose, nonce), nonce: nonce, binding)
    }

    private func sign(_ request: PINRequest, _ nonce: PINNonce) async throws -> [UInt8] {
        var header = JSONWriter()
        header.member("alg", algorithm.rawValue)
        header.member("kid", binding.keyID.text)
        header.member("typ", PINMessageType(request.kind, .two).text)
        var message = Base64URL.encodeBytes(header.finish())
        message.append(UInt8(ascii: "."))
        Base64URL.append(request.payload(issuer: binding.issuer, nonce: nonce), to: &message)
        let signature = try await key.signature(over: message)
        message.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &message)
        return message
    }
}
