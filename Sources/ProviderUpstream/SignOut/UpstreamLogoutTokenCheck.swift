// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives
import ProviderCore
import Storage

/// A verified logout token. Only ``UpstreamLogoutTokenCheck`` creates it.
struct VerifiedLogoutToken: Sendable {
    /// The subject at the provider; `nil` if the token names only a session.
    let subject: String?
    let session: UpstreamSession?
    /// The one-time identifier, which the logout consumes.
    let use: OneTimeUse

    fileprivate init(subject: String?, session: UpstreamSession?, use: OneTimeUse) {
        self.subject = subject
        self.session = session
        self.use = use
    }
}

/// Verifies a logout token of an upstream provider (OpenID Connect Back-Channel Logout 1.0 section
/// 2.6): signature, audience, age and event.
struct UpstreamLogoutTokenCheck: Sendable {
    let provider: UpstreamProvider
    let metadata: UpstreamMetadata
    let context: CeremonyContext

    static let maximumBytes = 16_384
    static let event = "http://schemas.openid.net/event/backchannel-logout"
    /// Maximum age. A logout token is sent immediately after its issuance.
    static let maximumAge = TimeSpan.minutes(5)

    func verify(_ text: String) async -> Result<VerifiedLogoutToken, UpstreamError> {
        let thing = "the logout token"
        let decryption = UpstreamDecryption(context: context, thing: thing)
        switch await decryption.open(text, maximumBytes: Self.maximumBytes) {
        case .failure(let failure): return .failure(failure)
        case .success(let token):
            do throws(JOSEError) {
                let jws = try UnverifiedJWS(compact: token, maximumBytes: Self.maximumBytes)
                let signature = UpstreamSignature(
                    metadata: metadata, context: context, thing: thing)
                switch await signature.verify(jws) {
                case .failure(let failure): return .failure(failure)
                case .success(let verified):
                    return read(try policy.verify(verified, now: context.now))
                }
            } catch {
                return .failure(.wrong("\(thing): \(error)"))
            }
        }
    }

    private var policy: ClaimsPolicy {
        ClaimsPolicy(
            issuers: [metadata.issuer],
            audience: .includesOne(of: [provider.settings.clientID]), types: nil,
            required: ["iat", "jti", "events"], leeway: UpstreamIDTokenCheck.clockSkew,
            maximumAge: Self.maximumAge)
    }

    private func read(_ claims: VerifiedClaims) -> Result<VerifiedLogoutToken, UpstreamError> {
        guard
            claims.header.type == nil || claims.header.isType("logout+jwt")
                || claims.header.isType("JWT")
        else { return .failure(.wrong("a token of another type instead of a logout token")) }
        guard claims["events"]?[Self.event]?.object != nil, claims["nonce"] == nil else {
            return .failure(.wrong("the logout token is none (events, nonce)"))
        }
        guard let identifier = claims.identifier, (1...255).contains(identifier.utf8.count) else {
            return .failure(.wrong("the logout token has no usable jti"))
        }
        let subject =
            claims["sub"] == nil
            ? nil
            : ClaimMapping(provider.settings)
                .subject(in: claims.members)
        let session = claims["sid"]?.string.flatMap { UpstreamSession(provider.id, sid: $0) }
        guard subject != nil || session != nil,
            (claims["sub"] == nil) == (subject == nil), (claims["sid"] == nil) == (session == nil)
        else { return .failure(.wrong("the logout token has neither sub nor sid")) }
        return .success(
            VerifiedLogoutToken(subject: subject, session: session, use: use(of: identifier)))
    }

    private func use(of identifier: String) -> OneTimeUse {
        let name = Array("logout/".utf8) + provider.id.bytes + Array(identifier.utf8)
        return OneTimeUse(
            OneTimeIdentifier(.issuedToken, key: Array(SHA256.hash(data: name))),
            until: context.now + Self.maximumAge + UpstreamIDTokenCheck.clockSkew
                + UpstreamIDTokenCheck.clockSkew)
    }
}
