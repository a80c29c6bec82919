// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A secret shared with a key for one exchange (CTAP 2.2 section 6.5.5.4).
struct PINAgreement: Sendable {
    private let key: SecurityKey
    private let random: any RandomSource
    /// The client's public key, part of every request that uses the secret.
    let publicKey: KeyAgreementKey
    let secret: PINSharedSecret

    init(with key: SecurityKey, random: any RandomSource) async throws(SecurityKeyError) {
        guard let pinProtocol = try key.requireInfo().preferredPINProtocol else {
            throw .unsupported("a PIN protocol")
        }
        let request = ClientPINRequest(.getKeyAgreement, pinUvAuthProtocol: pinProtocol.rawValue)
        let reply = try await key.send(.clientPIN(request))
        let response = try SecurityKey.read { () throws(CTAPMessageError) in
            try ClientPINResponse(cbor: reply)
        }
        guard let theirs = response.keyAgreement else {
            throw .untrustworthyReply("no key-agreement key")
        }
        do {
            let (ours, secret) = try PINKeyAgreement.encapsulate(
                for: try PINKeyAgreementKey(theirs.cbor), pinProtocol,
                random: random)
            guard let ours = try? KeyAgreementKey(ours.cose) else {
                throw PINProtocolError.invalidPublicKey
            }
            (self.key, self.random, self.publicKey, self.secret) = (key, random, ours, secret)
        } catch { throw .untrustworthyReply("a key-agreement key that is no point") }
    }

    var pinProtocol: PINProtocol { secret.pinProtocol }

    func encrypt(_ plaintext: Secret) throws(SecurityKeyError) -> [UInt8] {
        do {
            return try secret.encrypt(plaintext, random: random)
        } catch { throw .untrustworthyReply("nothing to encrypt") }
    }

    func decrypt(_ ciphertext: [UInt8]) throws(SecurityKeyError) -> Secret {
        do { return try secret.decrypt(ciphertext) } catch {
            throw .untrustworthyReply("a ciphertext of a wrong length")
        }
    }

    /// Sends a request for a token, completed with the client's key, and decrypts the token.
    func token(
        _ request: ClientPINRequest, limit: Duration
    ) async throws(SecurityKeyError) -> PINUVAuthToken {
        let reply = try await key.send(.clientPIN(completed(request)), limit: limit)
        let response = try SecurityKey.read { () throws(CTAPMessageError) in
            try ClientPINResponse(cbor: reply)
        }
        guard let encrypted = response.pinUvAuthToken else {
            throw .untrustworthyReply("no token")
        }
        let token = try decrypt(encrypted)
        do { return try PINUVAuthToken(pinProtocol, decrypted: token) } catch {
            throw .untrustworthyReply("a token of a wrong length")
        }
    }

    func completed(_ request: ClientPINRequest) -> ClientPINRequest {
        var request = request
        request.pinUvAuthProtocol = pinProtocol.rawValue
        request.keyAgreement = publicKey
        return request
    }
}
