// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A signer of the messages of one profile on one device to its issuer.
///
/// Store the bytes of a sign-in until its response arrives, and send the same bytes again if the
/// response is lost: the same bytes are counted once.
package struct PINRequestSigner: Sendable {
    package let binding: PINBinding
    private let key: any PINDeviceKey
    private let algorithm: JWSAlgorithm

    /// Returns `nil` for a key that cannot sign requests.
    package init?(issuer: String, key: any PINDeviceKey) {
        guard let algorithm = PINDeviceAlgorithm.pinned(for: key.publicKey) else { return nil }
        binding = PINBinding(issuer: issuer, keyID: PINKeyID(key.publicKey))
        self.key = key
        self.algorithm = algorithm
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
        let proof = secret.proof(.change(transportKey), nonce)
        return try await sign(.offer(transportKey, proof: proof), nonce)
    }

    package func signIn(with secret: OpenedPINSecret, nonce: PINNonce) async throws -> [UInt8] {
        try await sign(.signIn(secret.proof(.signIn, nonce)), nonce)
    }

    /// Returns the statement that the offered secret is sealed and durably stored.
    package func commit(_ secret: OpenedPINSecret, nonce: PINNonce) async throws -> [UInt8] {
        try await sign(.commit(secret.proof(.commit, nonce)), nonce)
    }

    /// Returns a request for the active version, which withdraws the offered one unless it is
    /// active.
    package func resolve(_ offered: SealedPINSecret, nonce: PINNonce) async throws -> [UInt8] {
        try await sign(.resolve(version: offered.version), nonce)
    }

    private func sign(_ request: PINRequest, _ nonce: PINNonce) async throws -> [UInt8] {
        var header = JSONWriter()
        header.member("alg", algorithm.rawValue)
        header.member("kid", binding.keyID.text)
        header.member("typ", request.type.rawValue)
        var message = Base64URL.encodeBytes(header.finish())
        message.append(UInt8(ascii: "."))
        Base64URL.append(request.payload(issuer: binding.issuer, nonce: nonce), to: &message)
        let signature = try await key.signature(over: message)
        message.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &message)
        return message
    }
}
