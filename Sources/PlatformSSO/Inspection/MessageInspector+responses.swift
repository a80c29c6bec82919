// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

extension MessageInspector {
    mutating func encrypted() throws(PlatformSSORefusal) {
        result.kind = .sealed
        try HPKE.refuse(compact: message)
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
        var sheet = CheckSheet(.judgeAll)
        defer { adopt(sheet) }
        sheet.part = .assertion
        let opened = try sheet.attempt(.decryption) { () throws(PlatformSSORefusal) in
            try assertion.open(with: keys)
        }
        result.message.claims = opened?.members
        for name: MessageCheck.Name in [.user, .audience, .nonce, .serverNonce, .scope] {
            sheet.leave(name, "there is no login request around it")
        }
    }

    private mutating func response() throws(PlatformSSORefusal) {
        var sheet = CheckSheet(.judgeAll)
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
        /// The device's nonce, as `apv` has it.
        let nonce: String?
    }

    /// Tries every private key; with the header's `apv`, else with one made from the nonce.
    private func open(_ sealed: SealedResponse) -> Result<Opened, PlatformSSORefusal> {
        let keys = privateKeys
        guard !keys.isEmpty else {
            return .failure(
                PlatformSSORefusal(.keyNotFound, "no private key to open the answer with"))
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
            PlatformSSORefusal(.decryptionFailed, "no key that was given opens the answer"))
    }

    private mutating func describe(
        _ claims: JSONObject, nonce: String?
    ) throws(PlatformSSORefusal) {
        var sheet = CheckSheet(.judgeAll)
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
        try judge(idToken: response.idToken, nonce: nonce)
        if let jws = try? UnverifiedJWS(compact: response.idToken) {
            result.idToken = .init(
                header: jws.header.members,
                claims: (try? MessageClaims(payload: jws.payload))?.members)
        }
    }

    mutating func judge(idToken token: String, nonce: String?) throws(PlatformSSORefusal) {
        var judge = IDTokenJudge(expectation: nil, now: now, mode: .judgeAll)
        judge.inspectedNonce = nonce
        defer { adopt(judge.sheet) }
        _ = try judge.claims(of: token, providerKeys(for: token))
    }

    /// The keys as a set; one that has no name of its own takes the one that the token asks for.
    private func providerKeys(for token: String) throws(PlatformSSORefusal) -> JWKSet {
        let wanted = (try? UnverifiedJWS(compact: token))?.header.keyID
        let named = publicKeys.filter { $0.keyID != nil }
        let nameless = publicKeys.filter { $0.keyID == nil && fits($0) }
        do throws(JOSEError) {
            if named.contains(where: { $0.keyID == wanted }) || nameless.count != 1 {
                return try JWKSet(named.map(JSONWebKey.publicKey))
            }
            var parameters = nameless[0].parameters
            parameters.keyID = wanted
            return try JWKSet([.publicKey(nameless[0].with(parameters))])
        } catch { throw PlatformSSORefusal(error) }
    }

    private func fits(_ key: PublicJWK) -> Bool { key.keyType == "RSA" || key.isP256 }
}
