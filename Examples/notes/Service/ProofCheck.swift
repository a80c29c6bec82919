// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Synchronization

/// Verifies that the sender of a token has its key: RFC 9449 section 4.3, for keys on P-256.
final class ProofCheck: Sendable {
    private struct Header: Decodable {
        struct Key: Decodable {
            let kty: String
            let crv: String
            let x: String
            let y: String
            let d: String?
        }

        let typ: String
        let alg: String
        let jwk: Key
    }

    private struct Claims: Decodable {
        let jti: String
        let htm: String
        let htu: String
        let iat: Int64
        let ath: String
    }

    /// Seconds that clocks may differ, and that a proof is remembered for.
    private static let window: Int64 = 60
    private static let mostRemembered = 100_000

    /// The expiry of each accepted proof. A repeated proof is a replay.
    private let seen = Mutex<[String: Int64]>([:])

    /// - Parameters:
    ///   - thumbprint: Of the key that the token is bound to (RFC 7638).
    ///   - url: Of the request, without its query.
    /// - Throws: ``Refusal/proof(_:)``.
    func check(
        _ proof: String, of thumbprint: String, token: String, method: String, url: String,
        now: Int64 = Int64(Date().timeIntervalSince1970)
    ) throws {
        let parts = proof.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, proof.utf8.count <= 8192,
            let header: Header = Self.decoded(parts[0]), header.typ == "dpop+jwt",
            header.alg == "ES256", let claims: Claims = Self.decoded(parts[1]),
            let signature = Self.bytes(parts[2])
        else { throw Refusal.proof("it cannot be read") }
        let key = try Self.key(header.jwk, thumbprint)
        guard let signed = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(signed, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { throw Refusal.proof("it is not signed by its key") }
        let hash = Self.text(Data(SHA256.hash(data: Data(token.utf8))))
        guard claims.htm == method, claims.htu == url, claims.ath == hash else {
            throw Refusal.proof("it is for another request or token")
        }
        guard abs(now - min(max(claims.iat, 0), .max / 2)) <= Self.window else {
            throw Refusal.proof("it is of another time")
        }
        try remember("\(thumbprint) \(claims.jti)", now)
    }

    private static func key(
        _ key: Header.Key, _ thumbprint: String
    ) throws -> P256.Signing.PublicKey {
        guard key.kty == "EC", key.crv == "P-256", key.d == nil, let x = bytes(key.x),
            let y = bytes(key.y), x.count == 32, y.count == 32,
            let made = try? P256.Signing.PublicKey(x963Representation: Data([4]) + x + y)
        else { throw Refusal.proof("its key is none on P-256") }
        let members = #"{"crv":"P-256","kty":"EC","x":"\#(text(x))","y":"\#(text(y))"}"#
        guard text(Data(SHA256.hash(data: Data(members.utf8)))) == thumbprint else {
            throw Refusal.proof("it is by another key than the token's")
        }
        return made
    }

    private func remember(_ proof: String, _ now: Int64) throws {
        try seen.withLock { seen in
            seen = seen.filter { $0.value >= now }
            guard seen.count < Self.mostRemembered, seen[proof] == nil else {
                throw Refusal.proof("it was used before")
            }
            seen[proof] = now + 2 * Self.window
        }
    }

    // MARK: base64url

    private static func decoded<Value: Decodable>(_ text: String) -> Value? {
        bytes(text).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    private static func bytes(_ text: String) -> Data? {
        guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let usual = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - usual.utf8.count % 4) % 4)
        return Data(base64Encoded: usual + padding)
    }

    private static func text(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
