// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A parsed request that is not verified: use it only to look up the nonce and the record of
/// ``keyID``.
package struct UnverifiedPINRequest: Sendable {
    /// `kid`
    package let keyID: PINKeyID
    package let nonce: PINNonce
    package let protocolVersion: PINProtocolVersion
    /// `aud`
    let issuer: String
    let jws: UnverifiedJWS
    private let claimed: PINRequest

    package enum Kind: String, Sendable {
        case offer, signIn = "sign-in", commit, resolve
    }

    package var kind: Kind {
        switch claimed {
        case .offer: .offer
        case .signIn: .signIn
        case .commit: .commit
        case .resolve: .resolve
        }
    }

    /// The thumbprint of the key that opens the proof; `nil` without a sealed proof.
    package var proofKeyID: [UInt8]? {
        guard case .sealed(let proof) = claimed.proof?.content else { return nil }
        return proof.keyID
    }

    /// Parses the compact serialization (RFC 7515 section 7.1). `nil` if it is not a PIN request.
    package init?(compact bytes: [UInt8]) {
        guard
            let jws = try? UnverifiedJWS(compact: bytes, maximumBytes: PINMessageType.maximumBytes)
        else { return nil }
        self.init(jws, length: bytes.count)
    }

    /// The same of what is taken apart already.
    ///
    /// - Parameter length: Of the compact form, in bytes.
    package init?(_ jws: UnverifiedJWS, length: Int) {
        guard length <= PINMessageType.maximumBytes,
            let type = PINMessageType(header: jws.header.type),
            let keyID = jws.header.keyID.flatMap({ PINKeyID(text: $0) }),
            Set(jws.header.members.names) == ["alg", "kid", "typ"],
            let (head, request) = PINRequest.read(type, jws.payload)
        else { return nil }
        self.keyID = keyID
        nonce = head.nonce
        protocolVersion = type.version
        issuer = head.issuer
        self.jws = jws
        claimed = request
    }

    /// Returns the transport key of a registration's offer, if that key signed it for that issuer.
    /// The evidence of the registration must attest to it as well.
    package func offeredKey(by key: PublicJWK, issuer: String) -> PINTransportPublicKey? {
        guard
            case .offer(let transportKey, proof: nil)? = verified(by: key, issuer: issuer)?.request
        else { return nil }
        return transportKey
    }

    /// Returns the request if that key signed it for that issuer. The signature is checked first,
    /// so that the response time does not reveal whether the key exists.
    func verified(by key: PublicJWK, issuer: String) -> VerifiedPINRequest? {
        guard let algorithm = PINDeviceAlgorithm.pinned(for: key),
            (try? JWSVerifier(key: .publicKey(key), algorithms: [algorithm]).verify(jws)) != nil,
            PINKeyID(key) == keyID, self.issuer.hasSameBytes(as: issuer)
        else { return nil }
        return VerifiedPINRequest(
            binding: PINBinding(issuer: issuer, keyID: keyID), protocolVersion: protocolVersion,
            nonce: nonce, request: claimed)
    }
}

/// A request with a verified signature of its device, for this issuer.
struct VerifiedPINRequest: Sendable {
    let binding: PINBinding
    let protocolVersion: PINProtocolVersion
    let nonce: PINNonce
    let request: PINRequest

    fileprivate init(
        binding: PINBinding, protocolVersion: PINProtocolVersion, nonce: PINNonce,
        request: PINRequest
    ) {
        self.binding = binding
        self.protocolVersion = protocolVersion
        self.nonce = nonce
        self.request = request
    }
}

/// The signature algorithm of each kind of device key: ES256 for P-256; RS256 for RSA, which
/// installations from the Sudo SDK have.
package enum PINDeviceAlgorithm {
    package static func pinned(for key: PublicJWK) -> JWSAlgorithm? {
        switch key.material {
        case .ellipticCurve(.p256, _, _): .es256
        case .rsa: .rs256
        default: nil
        }
    }
}
