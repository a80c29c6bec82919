// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPTypes
import JOSE
import OAuth
import Primitives
import Support

/// The key of a test's app, and the proofs that it makes (RFC 9449 section 4).
struct ProofMaker {
    let pair: PrivateJWK

    init(_ pair: PrivateJWK? = nil) throws {
        self.pair = try pair ?? PrivateJWK.generate(for: .es256)
    }

    func proof(
        _ method: HTTPRequest.Method, _ path: String, now: Timestamp, token: String? = nil
    ) throws -> String {
        var claims = JSONObject()
        claims["jti"] = .string(Base64URL.encode(SystemRandomSource().bytes(16)))
        claims["htm"] = .string(method.rawValue)
        claims["htu"] = .string(OAuthHouse.issuer + path.prefix { $0 != "?" })
        claims["iat"] = .integer(now.seconds)
        claims["ath"] = token.map {
            .string(Base64URL.encode(Array(SHA256.hash(data: Array($0.utf8)))))
        }
        let jws = try JOSESigner(pair, algorithm: .es256).sign(
            payload: claims.bytes, typ: DPoPProof.type,
            header: [.init(name: "jwk", value: pair.publicKey.with(KeyParameters()).json)])
        return String(decoding: jws, as: UTF8.self)
    }

    /// The head of a request as an app sends it that has this key: a token that is bound to the key
    /// is shown with a proof, and where tokens are asked for, a proof goes along.
    func complete(
        _ headers: HTTPFields, _ method: HTTPRequest.Method, _ path: String, now: Timestamp,
        asking: Bool
    ) throws -> HTTPFields {
        guard let name = HTTPField.Name("DPoP"), headers[name] == nil else { return headers }
        var headers = headers
        if asking, path.hasSuffix("/token") { headers[name] = try proof(method, path, now: now) }
        guard let shown = headers[.authorization], shown.hasPrefix("Bearer "),
            isBound(String(shown.dropFirst(7)))
        else { return headers }
        let token = String(shown.dropFirst(7))
        headers[.authorization] = "DPoP \(token)"
        headers[name] = try proof(method, path, now: now, token: token)
        return headers
    }

    private func isBound(_ token: String) -> Bool {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
            let claims = try? JSONParser.parseObject(payload, maximumBytes: 65_536)
        else { return false }
        return claims["cnf"]?["jkt"]?.string == pair.publicKey.thumbprintText
    }
}
