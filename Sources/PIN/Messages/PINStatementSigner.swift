// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// Signs what the server states. Nothing unsigned ever changes what a device keeps: a secret that
/// it takes, a secret that it forgets, and the end of a profile.
package struct PINStatementSigner: Sendable {
    private let issuer: String
    private let signer: JOSESigner

    /// - Parameter signer: The project's signing key; the types keep these statements apart from
    ///   its tokens.
    package init(issuer: String, signer: JOSESigner) {
        self.issuer = issuer
        self.signer = signer
    }

    /// The compact JWS of an offered secret, sealed to the key that asked for it. Each call seals
    /// anew; the secret in it is the same.
    package func delivery(
        of offer: PINOfferedSecret, to keyID: PINKeyID, answering nonce: PINNonce
    ) throws(PINServiceError) -> [UInt8] {
        let binding = PINBinding(issuer: issuer, keyID: keyID)
        let box = try offer.transportKey.seal(offer.secret, version: offer.version, binding)
        return try sign(.delivery, to: keyID) { writer in
            writer.member("nonce", nonce.text)
            writer.member("ver", Int64(offer.version))
            writer.member("enc", Base64URL.encode(box.encapsulatedKey))
            writer.member("ct", Base64URL.encode(box.ciphertext))
        }
    }

    /// The compact JWS that says which secret counts; 0 for none.
    package func version(
        _ version: UInt32, to keyID: PINKeyID, answering nonce: PINNonce
    ) throws(PINServiceError) -> [UInt8] {
        try sign(.version, to: keyID) { writer in
            writer.member("nonce", nonce.text)
            writer.member("ver", Int64(version))
        }
    }

    /// The compact JWS on which a device wipes the profile. It answers no nonce: what it says
    /// stays true for ever.
    package func ending(
        _ ending: PINTermination, of keyID: PINKeyID, now: Timestamp
    ) throws(PINServiceError) -> [UInt8] {
        try sign(.ending, to: keyID) { writer in
            writer.member("iat", now.seconds)
            writer.member("reason", ending.rawValue)
        }
    }

    private func sign(
        _ type: PINMessageType, to keyID: PINKeyID, _ write: (inout JSONWriter) -> Void
    ) throws(PINServiceError) -> [UInt8] {
        var writer = JSONWriter()
        writer.member("iss", issuer)
        writer.member("aud", keyID.text)
        write(&writer)
        do throws(JOSEError) {
            return try signer.sign(payload: writer.finish(), typ: type.rawValue)
        } catch { throw PINServiceError(.signing, error.reason) }
    }
}
