// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import PlatformSSO
import Primitives

extension FuzzTarget {
    /// No message is accepted with keys that did not create it, and every inspection has an
    /// explanation.
    static let platformSSO = FuzzTarget(name: "platform-sso") { bytes in
        let inspection = MessageInspection(
            of: String(decoding: bytes, as: UTF8.self), keys: keys, nonce: "nonce", now: now)
        precondition(inspection.refusal != nil, "a forgery was accepted")
        precondition(!inspection.json.bytes.isEmpty)
    }

    /// Claims with a valid signature are validated without a trap, and so are the members of a
    /// decrypted response on a device.
    static let platformSSOClaims = FuzzTarget(name: "platform-sso-claims") { bytes in
        for type in ["platformsso-login-request+jwt", "platformsso-key-request+jwt", "JWT"] {
            guard let key, let signer = try? JOSESigner(key, algorithm: .es256),
                let message = try? signer.sign(payload: bytes, typ: type)
            else { return }
            let text = String(decoding: message, as: UTF8.self)
            _ = MessageInspection(of: text, keys: keys, nonce: nil, now: now).json
        }
        guard let members = try? JSONParser.parseObject(bytes, maximumBytes: 65_536) else { return }
        if let response = try? LoginResponse(members) {
            precondition(
                (try? JSONParser.parseObject(response.json, maximumBytes: 1_000_000)) != nil)
        }
        _ = try? KeyResponse(members, now: now)
        _ = KerberosTicket(KerberosTicketMapping(ticketKeyPath: "login_tgt"), in: members)
    }

    /// A predicate, and behind a line feed the body that it is asked about.
    static let predicate = FuzzTarget(name: "predicate") { bytes in
        let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        guard let predicate = try? ResponsePredicate(String(decoding: parts[0], as: UTF8.self))
        else { return }
        let body = parts.count == 2 ? Array(parts[1]) : []
        let value = try? JSONParser.parse(body, maximumBytes: 65_536)
        let negation = try? ResponsePredicate("NOT (\(predicate.text))")
        guard let negation else { return }
        precondition(
            predicate.holds(for: value ?? .null) != negation.holds(for: value ?? .null),
            "a predicate and its negation agree")
    }

    /// An address with its query.
    static let webLoginCallback = FuzzTarget(name: "web-login-callback") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let callback = try? WebLoginCallback(text) {
            let again = WebLoginCallback.url(code: callback.code, state: callback.state)
            // Escapes make it longer; the limit may then refuse it.
            guard again.utf8.count <= 8192 else { return }
            precondition((try? WebLoginCallback(again))?.code == callback.code)
        }
        if let start = try? WebLoginStart(authorizationURL: text) {
            precondition(start.url(loginHint: "a", scope: "openid").hasPrefix("https://"))
        }
    }

    private static let now = Timestamp(seconds: 1_790_000_000)
    /// Its `kid` is what Platform SSO calls it.
    private static let key: PrivateJWK? = {
        guard let pair = try? PrivateJWK.generate(for: .es256) else { return nil }
        let name = KeyIdentifier(pair.publicKey).description
        return try? pair.with(KeyParameters(keyID: name))
    }()
    private static let keys: [JSONWebKey] = key.map { [.privateKey($0)] } ?? []
}
