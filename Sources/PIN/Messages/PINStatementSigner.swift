// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// A signer of the server's statements. A device changes its stored state only by a signed
/// statement: a new secret, the removal of a secret, or the termination of a profile.
package struct PINStatementSigner: Sendable {
    private let issuer: String
    private let signer: JOSESigner

    /// - Parameter signer: The project's signing key; the types distinguish these statements from
    ///   its tokens.
    package init(issuer: String, signer: JOSESigner) {
        self.issuer = issuer
        self.signer = signer
    }

    /// Returns the compact JWS of an offered secret, sealed to the requesting key, in the version of
    /// that key. Each call seals again; the secret is the same.
    package func delivery(
        of offer: PINOfferedSecret, to keyID: PINKeyID, answering nonce: PINNonce
    ) throws(PINServiceError) -> [UInt8] {
        let binding = PINBinding(issuer: issuer, keyID: keyID)
        let box = try offer.transportKey.seal(offer.secret, version: offer.version, binding)
        return try sign(.delivery, offer.transportKey.protocolVersion, to: keyID) { writer in
            writer.member("nonce", nonce.text)
            writer.member("ver", Int64(offer.version))
            writer.member("enc", Base64URL.encode(box.encapsulatedKey))
            writer.member("ct", Base64URL.encode(box.ciphertext))
        }
    }

    /// Returns the compact JWS that states the active version; 0 for none.
    package func version(
        _ version: UInt32, to keyID: PINKeyID, answering nonce: PINNonce,
        in protocolVersion: PINProtocolVersion
    ) throws(PINServiceError) -> [UInt8] {
        try sign(.version, protocolVersion, to: keyID) { writer in
            writer.member("nonce", nonce.text)
            writer.member("ver", Int64(version))
        }
    }

    /// Returns the compact JWS with which a device deletes the profile. It contains no nonce,
    /// because the statement stays valid.
    package func ending(
        _ ending: PINTermination, of keyID: PINKeyID, now: Timestamp,
        in protocolVersion: PINProtocolVersion
    ) throws(PINServiceError) -> [UInt8] {
        try sign(.ending, protocolVersion, to: keyID) { writer in
            writer.member("iat", now.seconds)
            writer.member("reason", ending.rawValue)
        }
    }

    private func sign(
        _ kind: PINMessageType.Kind, _ protocolVersion: PINProtocolVersion, to keyID: PINKeyID,
        _ write: (inout JSONWriter) -> Void
    ) throws(PINServiceError) -> [UInt8] {
        var writer = JSONWriter()
        writer.member("iss", issuer)
        writer.member("aud", keyID.text)
        write(&writer)
        do throws(JOSEError) {
            return try signer.sign(
                payload: writer.finish(), typ: PINMessageType(kind, protocolVersion).text)
        } catch { throw PINServiceError(.signing, error.reason) }
    }
}
