// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives

/// Creates proofs that the sender of a token has its key (RFC 9449 section 4.2).
struct DPoPProofBuilder: Sendable {
    let key: any StoredKey
    let clock: any WallClock
    let random: any RandomSource

    /// - Parameters:
    ///   - accessToken: The token of the request; `nil` at the token endpoint.
    ///   - nonce: The server's `DPoP-Nonce` (section 8).
    func make(
        _ method: String, _ url: String, accessToken: Secret?, nonce: String?
    ) async throws -> String {
        var claims = JSONWriter()
        claims.member("jti", Base64URL.encode(random.bytes(16)))
        claims.member("htm", method)
        // Section 4.2: without query and fragment.
        claims.member("htu", String(url.prefix { $0 != "?" && $0 != "#" }))
        claims.member("iat", clock.now.seconds)
        if let accessToken {
            let hash = accessToken.withBytes { SHA256.hash(data: $0) }
            claims.member("ath", Base64URL.encode(Array(hash)))
        }
        claims.member("nonce", ifPresent: nonce)
        return try await KeySignature.jws(
            payload: claims.finish(), typ: "dpop+jwt",
            header: [.init(name: "jwk", value: try key.publicKey.jwk().json)], by: key)
    }
}
