// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives
import ProviderCore
import Storage

/// Verifies an ID token of an upstream provider (OpenID Connect Core section 3.1.3.7): signature,
/// audience, times and nonce.
struct UpstreamIDTokenCheck: Sendable {
    let provider: UpstreamProvider
    let metadata: UpstreamMetadata
    let context: CeremonyContext

    static let maximumBytes = 16_384
    /// Allowed clock skew.
    static let clockSkew = TimeSpan.seconds(60)

    func verify(
        _ answer: UpstreamTokenRequest.Response, _ attempt: UpstreamTransaction,
        _ state: UpstreamState
    ) async -> Result<VerifiedClaims, UpstreamError> {
        guard let token = answer.idToken else { return .failure(.wrong("the ID token is missing")) }
        do throws(JOSEError) {
            let jws = try UnverifiedJWS(compact: token, maximumBytes: Self.maximumBytes)
            let signature = UpstreamSignature(
                metadata: metadata, context: context, thing: "the ID token")
            switch await signature.verify(jws) {
            case .failure(let failure): return .failure(failure)
            case .success(let verified):
                let claims = try policy.verify(verified, now: context.now)
                if let reason = reasonToRefuse(claims, answer, attempt, state) {
                    return .failure(.wrong(reason))
                }
                return .success(claims)
            }
        } catch {
            return .failure(.wrong("the ID token: \(error)"))
        }
    }

    private var policy: ClaimsPolicy {
        ClaimsPolicy(
            issuers: [metadata.issuer], audience: .includesOne(of: [provider.settings.clientID]),
            types: nil, required: ["sub", "iat"], leeway: Self.clockSkew,
            maximumAge: UpstreamTransaction.lifetime)
    }

    private func reasonToRefuse(
        _ claims: VerifiedClaims, _ answer: UpstreamTokenRequest.Response,
        _ attempt: UpstreamTransaction, _ state: UpstreamState
    ) -> String? {
        if claims.header.type != nil, !claims.header.isType("JWT") {
            return "a token of another type instead of the ID token"
        }
        guard let nonce = claims["nonce"]?.string,
            ConstantTime.equal(Array(nonce.utf8), Array(state.nonce.utf8))
        else { return "the ID token is of another attempt (nonce)" }
        let party = claims["azp"]
        guard party == nil || party?.string == provider.settings.clientID,
            claims.audience.count == 1 || party != nil
        else { return "the ID token was issued to another party (azp)" }
        if let hash = claims["at_hash"] {
            guard hash.string == Self.hash(of: answer.accessToken, for: claims.header) else {
                return "the access token is not the ID token's (at_hash)"
            }
        }
        return reasonToDoubtFreshness(claims, attempt)
    }

    /// A request with `max_age` requires `auth_time` in the response (section 3.1.2.1).
    private func reasonToDoubtFreshness(
        _ claims: VerifiedClaims, _ attempt: UpstreamTransaction
    ) -> String? {
        guard attempt.isFresh else { return nil }
        guard let time = claims["auth_time"].flatMap(Timestamp.init(numericDate:)) else {
            return "the ID token has no time of the sign-in (auth_time)"
        }
        return time + Self.clockSkew >= attempt.begunAt
            ? nil : "the person was not seen again (auth_time)"
    }

    /// Section 3.1.3.6: the left half of the token's hash, with the hash function of the algorithm.
    private static func hash(of token: String, for header: JOSEHeader) -> String? {
        let bytes = Array(token.utf8)
        let digest: [UInt8]? =
            switch header.algorithm.suffix(3) {
            case "256": Array(SHA256.hash(data: bytes))
            case "384": Array(SHA384.hash(data: bytes))
            case "512", "DSA": Array(SHA512.hash(data: bytes))
            default: nil
            }
        return digest.map { Base64URL.encode(Array($0.prefix($0.count / 2))) }
    }
}
