// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A detector of a message's kind that has it verified with the given keys.
struct MessageInspector {
    /// The compact message; of a posted form, its message.
    var message: [UInt8]
    let keys: [JSONWebKey]
    let nonce: String?
    let now: Timestamp
    var result = MessageInspection()

    init(message: [UInt8], keys: [JSONWebKey], nonce: String?, now: Timestamp) {
        self.message = message
        self.keys = keys
        self.nonce = nonce
        self.now = now
    }

    var publicKeys: [PublicJWK] { keys.compactMap(\.publicKey) }
    var privateKeys: [PrivateJWK] { keys.compactMap(\.privateKey).filter(\.publicKey.isP256) }

    mutating func inspect() {
        do throws(PlatformSSORefusal) {
            if try plain() { return }
            try compact()
        } catch {
            result.refusal = result.refusal ?? error
        }
    }

    mutating func compact() throws(PlatformSSORefusal) {
        switch message.count(where: { $0 == UInt8(ascii: ".") }) {
        case 2: try signed()
        case 4: try encrypted()
        default:
            throw PlatformSSORefusal(.malformed, "neither a compact JWS nor a compact JWE")
        }
    }

    /// Adds the results of a verification.
    mutating func adopt(_ sheet: VerificationReport) {
        result.checks += sheet.checks
        result.refusal = result.refusal ?? sheet.refusal
    }

    // MARK: Signed messages

    private mutating func signed() throws(PlatformSSORefusal) {
        let jws: UnverifiedJWS
        do throws(JOSEError) { jws = try UnverifiedJWS(compact: message) } catch {
            throw PlatformSSORefusal(error)
        }
        result.message.header = jws.header.members
        let claims = try MessageClaims(payload: jws.payload)
        result.message.claims = claims.members
        let isRequest = claims.members["jwe_crypto"] != nil
        if jws.header.isType(MessageType.loginAssertion.rawValue), !isRequest {
            return try loneAssertion()
        }
        if jws.header.type == nil || jws.header.isType("JWT"), !isRequest {
            return try loneIDToken()
        }
        try request(UnverifiedRequest(compact: message))
    }

    private mutating func request(_ request: UnverifiedRequest) throws(PlatformSSORefusal) {
        var validator = RequestValidator(
            message: request.message, device: device(of: request), expectation: nil, now: now,
            mode: .checkAll)
        defer { adopt(validator.report) }
        validator.report.pass(.type)
        switch request {
        case .login(let login):
            result.kind = .loginRequest
            describe(login.assertion)
            _ = try validator.login(login, loginKeys(login))
        case .refresh:
            result.kind = .refreshRequest
            _ = try validator.refresh()
        case .key:
            let type = request.message.claims.members["request_type"]?.string
            result.kind = type == "key_exchange" ? .keyExchange : .keyRequest
            _ = try validator.keyRequest()
        case .authorization:
            result.kind = .authorizationRequest
            _ = try validator.authorization()
        }
    }

    /// Returns the keys of the device: the one of `kid`, and the P-256 keys that may be its
    /// encryption key. Signature keys and those of the assertion are excluded.
    private func device(of request: UnverifiedRequest) -> DeviceKeys? {
        let name = request.message.signingKeyID
        guard let signing = publicKeys.first(where: { KeyIdentifier($0) == name }) else {
            return nil
        }
        var assertionKey: KeyIdentifier?
        if case .login(let login) = request {
            switch login.assertion {
            case .signed(let assertion): assertionKey = assertion.keyID
            case .encrypted(let assertion): assertionKey = assertion.keyID
            case nil: break
            }
        }
        let others = publicKeys.filter { key in
            let keyName = KeyIdentifier(key)
            return key.isP256 && key.parameters.use != "sig" && keyName != name
                && keyName != assertionKey
        }
        return DeviceKeys(signing: signing, encryption: others)
    }

    private func loginKeys(_ login: UnverifiedLoginRequest) -> LoginKeys {
        guard case .signed(let assertion) = login.assertion else {
            return LoginKeys(decryption: privateKeys)
        }
        return LoginKeys(user: userKeys(for: assertion))
    }

    /// Returns the person's keys. Keys are identified by their name. RSA keys of cards have none
    /// and are identified by the certificate, whose path is not checked here.
    private func userKeys(for assertion: UnverifiedSignedAssertion) -> [UserKey] {
        publicKeys.map { key in
            guard let leaf = assertion.certificates.first,
                key.keyType == "RSA" || KeyIdentifier(key) == assertion.keyID
            else { return .secureEnclave(key) }
            return .smartCard(key, certificate: leaf)
        }
    }

    /// Adds the content of an assertion before its verification. The password of an encrypted one
    /// is decrypted with any suitable key.
    private mutating func describe(_ assertion: UnverifiedEmbeddedAssertion?) {
        switch assertion {
        case .signed(let signed):
            result.assertion = .init(
                header: signed.header.members, claims: signed.claims.members)
        case .encrypted(let encrypted):
            result.assertion = .init(
                header: encrypted.header.members,
                claims: (try? encrypted.open(with: privateKeys))?.members)
        case nil: break
        }
    }

    private mutating func loneAssertion() throws(PlatformSSORefusal) {
        result.kind = .loginAssertion
        let assertion = try UnverifiedSignedAssertion(compact: message)
        var sheet = VerificationReport(.checkAll)
        defer { adopt(sheet) }
        sheet.part = .assertion
        guard let key = userKeys(for: assertion).first(where: { $0.made(assertion) }) else {
            return try sheet.fail(
                .keyID, PlatformSSORefusal(.keyNotFound, "no key that was given signed it"))
        }
        let verifier = JWSVerifier(key: .publicKey(key.publicKey), algorithms: key.algorithms)
        _ = try sheet.attempt(.signature) { () throws(PlatformSSORefusal) in
            do throws(JOSEError) { return try verifier.verify(assertion.jws) } catch {
                throw PlatformSSORefusal(error)
            }
        }
        for name: VerificationCheck.Name in [.user, .audience, .nonce, .serverNonce, .scope] {
            sheet.leave(name, "it is not inside a login request")
        }
    }

    private mutating func loneIDToken() throws(PlatformSSORefusal) {
        result.kind = .idToken
        try validate(
            idToken: String(decoding: message, as: UTF8.self), nonce: nonce, isInside: false)
    }
}
