// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Primitives

/// An issuer whose notices are as a test wants them: it signs what Gatehouse never would.
struct PushIssuer: Sendable {
    /// A notice as it is sent.
    struct Sent: Sendable {
        var body: [UInt8]
        var signature: String
    }

    private let key = P256.Signing.PrivateKey()
    private let keys: ListeningSocket
    private let metadata: ListeningSocket

    var name: String { "http://127.0.0.1:\(metadata.port)" }

    init() throws {
        let point = Array(key.publicKey.rawRepresentation)
        let known: JSON = [
            "keys": [
                [
                    "kid": "one", "kty": "EC", "crv": "P-256",
                    "x": .string(Base64URL.encode(Array(point.prefix(32)))),
                    "y": .string(Base64URL.encode(Array(point.suffix(32)))),
                ]
            ]
        ]
        keys = try Self.saying(known)
        metadata = try Self.saying(["jwks_uri": .string("http://127.0.0.1:\(keys.port)/")])
    }

    /// One document, whatever is asked for.
    private static func saying(_ document: JSON) throws -> ListeningSocket {
        let answer = HTTPAnswer(
            status: 200, headers: [("content-type", "application/json")], body: document.bytes)
        return try ListeningSocket { connection in
            guard (try? ReceivedRequest(from: connection)) != nil else { return }
            try? connection.send(answer.bytes)
        }
    }

    /// One that nothing is wrong with, of an approval for these installations.
    func notice(to address: String, _ tokens: [String]) -> JSON {
        let now = Int(Date().timeIntervalSince1970)
        let installations = tokens.map { token -> JSON in
            ["installation_id": .string("of-" + token), "push_token": .string(token)]
        }
        return [
            "iss": .string(name), "aud": .string(address), "jti": .string(UUID().uuidString),
            "iat": .number(Double(now)), "exp": .number(Double(now + 60)), "event": "approval",
            "approval": "one", "user_id": "anna", "expires_at": "2030-01-01T00:00:00Z",
            "installations": .array(installations),
        ]
    }

    /// Signs as docs/identity-providers.md, "What the service is asked" describes.
    ///
    /// - Parameter signer: Another key, under the same name.
    func sign(
        _ notice: JSON, typ: String = "gatehouse-push", by signer: P256.Signing.PrivateKey? = nil
    ) throws -> Sent {
        let body = notice.bytes
        let header: JSON = ["alg": "ES256", "typ": .string(typ), "kid": "one"]
        let head = Base64URL.encode(header.bytes)
        let input = Array("\(head).\(Base64URL.encode(body))".utf8)
        let signature = try (signer ?? key).signature(for: input).rawRepresentation
        return Sent(body: body, signature: "\(head)..\(Base64URL.encode(Array(signature)))")
    }
}
