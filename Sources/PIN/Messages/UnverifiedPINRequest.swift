// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A request that has been taken apart and not been verified: good for looking up the record of
/// ``keyID`` and the nonce, and for nothing else.
package struct UnverifiedPINRequest: Sendable {
    /// `kid`
    package let keyID: PINKeyID
    package let nonce: PINNonce
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

    /// Reads the compact serialisation (RFC 7515 section 7.1). `nil` when it is no request of ours.
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
        issuer = head.issuer
        self.jws = jws
        claimed = request
    }

    /// The transport key of a registration's offer, when that key signed it for that issuer: what
    /// the evidence of the registration must attest to besides.
    package func offeredKey(by key: PublicJWK, issuer: String) -> PINTransportPublicKey? {
        guard
            case .offer(let transportKey, proof: nil)? = verified(by: key, issuer: issuer)?.request
        else { return nil }
        return transportKey
    }

    /// The request, when that key signed it for that issuer. The signature is checked first: a
    /// quicker refusal of the issuer would tell that the key exists.
    func verified(by key: PublicJWK, issuer: String) -> VerifiedPINRequest? {
        guard let algorithm = PINDeviceAlgorithm.pinned(for: key),
            (try? JWSVerifier(key: .publicKey(key), algorithms: [algorithm]).verify(jws)) != nil,
            PINKeyID(key) == keyID, self.issuer.hasSameBytes(as: issuer)
        else { return nil }
        return VerifiedPINRequest(
            binding: PINBinding(issuer: issuer, keyID: keyID), nonce: nonce, request: claimed)
    }
}

/// A request that its device signed, for this issuer.
struct VerifiedPINRequest: Sendable {
    let binding: PINBinding
    let nonce: PINNonce
    let request: PINRequest

    fileprivate init(binding: PINBinding, nonce: PINNonce, request: PINRequest) {
        self.binding = binding
        self.nonce = nonce
        self.request = request
    }
}

/// The one algorithm of each kind of device key: P-256 signs ES256; RSA, for installations that
/// come from the Sudo SDK, RS256.
package enum PINDeviceAlgorithm {
    package static func pinned(for key: PublicJWK) -> JWSAlgorithm? {
        switch key.material {
        case .ellipticCurve(.p256, _, _): .es256
        case .rsa: .rs256
        default: nil
        }
    }
}
