// SPDX-License-Identifier: Apache-2.0
import JOSE

extension MessageInspector {
    mutating func encrypted() throws(PlatformSSORefusal) {
        result.kind = .sealed
        try UnsupportedHPKE.refuse(compact: message)
        let jwe: UnverifiedJWE
        do throws(JOSEError) { jwe = try UnverifiedJWE(compact: message) } catch {
            throw PlatformSSORefusal(error)
        }
        result.message.header = jwe.header.members
        if jwe.header.isType(MessageType.encryptedLoginAssertion.rawValue) {
            return try loneEncryptedAssertion()
        }
        try response()
    }

    private mutating func loneEncryptedAssertion() throws(PlatformSSORefusal) {
        result.kind = .encryptedLoginAssertion
        let assertion = try UnverifiedEncryptedAssertion(compact: message)
        let keys = privateKeys
        var sheet = VerificationReport(.checkAll)
        defer { adopt(sheet) }
        sheet.part = .assertion
        let opened = try sheet.attempt(.decryption) { () throws(PlatformSSORefusal) in
            try assertion.open(with: keys)
        }
        result.message.claims = opened?.members
        for name: VerificationCheck.Name in [.user, .audience, .nonce, .serverNonce, .scope] {
            sheet.leave(name, "it is not inside a login request")
        }
    }

    private mutating func response() throws(PlatformSSORefusal) {
        var sheet = VerificationReport(.checkAll)
        let bytes = message
        let sealed = try sheet.attempt(.ephemeralKey) { () throws(PlatformSSORefusal) in
            try SealedResponse(compact: bytes)
        }
        guard let sealed else { return adopt(sheet) }
        let opened = open(sealed)
        let content = try sheet.attempt(.decryption) { () throws(PlatformSSORefusal) in
            try opened.get()
        }
        adopt(sheet)
        guard let content else { return }
        result.message.claims = content.claims
        try describe(content.claims, nonce: content.nonce)
    }

    private struct Opened {
        let claims: JSONObject
        /// The device's nonce in `apv`.
        let nonce: String?
    }

    /// Tries every private key, with the header's `apv` or one that is made from the nonce.
    private func open(_ sealed: SealedResponse) -> Result<Opened, PlatformSSORefusal> {
        let keys = privateKeys
        guard !keys.isEmpty else {
            return .failure(
                PlatformSSORefusal(.keyNotFound, "no private key to decrypt the response with"))
        }
        guard sealed.statedAPV != nil || nonce != nil else {
            let reason = "the header has no apv: the request's nonce is needed"
            return .failure(PlatformSSORefusal(.apvMalformed, reason))
        }
        for key in keys {
            let own = nonce.map {
                PartyInfo.recipient(deviceEncryption: key.publicKey, nonce: $0).bytes
            }
            for apv in [own, sealed.statedAPV].compactMap({ $0 }) {
                guard let claims = try? sealed.open(with: key, apv: apv) else { continue }
                let field = PartyInfo(bytes: apv)?.fields.last
                let stated = field.flatMap { String(validating: $0, as: UTF8.self) }
                return .success(Opened(claims: claims, nonce: stated))
            }
        }
        return .failure(
            PlatformSSORefusal(.decryptionFailed, "no given key decrypts the response"))
    }

    private mutating func describe(
        _ claims: JSONObject, nonce: String?
    ) throws(PlatformSSORefusal) {
        var sheet = VerificationReport(.checkAll)
        if claims["certificate"] != nil || claims["key"] != nil {
            result.kind = .keyResponse
            let now = now
            _ = try sheet.attempt(.content) { () throws(PlatformSSORefusal) in
                try KeyResponse(claims, now: now)
            }
            return adopt(sheet)
        }
        result.kind = .loginResponse
        let response = try sheet.attempt(.content) { () throws(PlatformSSORefusal) in
            try LoginResponse(claims)
        }
        adopt(sheet)
        guard let response else { return }
        try validate(idToken: response.idToken, nonce: nonce, isInside: true)
        if let jws = try? UnverifiedJWS(compact: response.idToken) {
            result.idToken = .init(
                header: jws.header.members,
                claims: (try? MessageClaims(payload: jws.payload))?.members)
        }
    }

    /// - Parameter isInside: Whether the token is inside a response, where a token without a known
    ///   signer stays unchecked. A separate one is refused.
    mutating func validate(
        idToken token: String, nonce: String?, isInside: Bool
    ) throws(PlatformSSORefusal) {
        var validator = IDTokenValidator(expectation: nil, now: now, mode: .checkAll)
        validator.inspectedNonce = nonce
        defer { adopt(validator.report) }
        let signers = signers(of: token, isInside: isInside)
        let keys: JWKSet?
        do throws(JOSEError) {
            keys = isInside && signers.isEmpty ? nil : try JWKSet(signers)
        } catch { throw PlatformSSORefusal(error) }
        _ = try validator.claims(of: token, keys)
    }

    /// Returns the possible keys of the provider: the one that the token names; otherwise unnamed
    /// ones of the right kind, of which the correct one takes the name; otherwise those with other
    /// names, which are then refused. Private keys in a response are the device's.
    private func signers(of token: String, isInside: Bool) -> [JSONWebKey] {
        guard let jws = try? UnverifiedJWS(compact: token) else { return [] }
        let kind = jws.header.algorithm.hasPrefix("RS") ? "RSA" : "EC"
        let fitting = keys.filter { $0.publicKey?.keyType == kind }
        let named = fitting.filter { key in
            key.parameters.keyID.flatMap { name in jws.header.keyID.map(name.hasSameBytes) } == true
        }
        if let key = named.first?.publicKey { return [.publicKey(key)] }
        let others = fitting.filter { !isInside || $0.privateKey == nil }
            .compactMap(\.publicKey)
        let nameless = others.filter { $0.keyID == nil }
        let right = nameless.first { key in
            let verifier = JWSVerifier(
                key: .publicKey(key), algorithms: IDTokenValidator.algorithms)
            return (try? verifier.verify(jws)) != nil
        }
        guard let key = right ?? nameless.first else { return others.map(JSONWebKey.publicKey) }
        var parameters = key.parameters
        parameters.keyID = jws.header.keyID
        return (try? key.with(parameters)).map { [.publicKey($0)] } ?? []
    }
}
