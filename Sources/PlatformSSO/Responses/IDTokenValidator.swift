// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The checks of an ID token that Apple's documentation lists for the device (OpenID Connect Core
/// section 3.1.3.7, with times that may be strings; Apple "Processing the JSON Web Encryption (JWE)
/// login response").
struct IDTokenValidator {
    struct Expectation {
        let issuer: String
        let clientID: String
        let nonce: String
    }

    /// `nil` in an inspection, which has at most the nonce.
    let expectation: Expectation?
    /// The nonce of the request in an inspection.
    var inspectedNonce: String?
    let now: Timestamp
    var report: VerificationReport

    init(expectation: Expectation?, now: Timestamp, mode: VerificationReport.Mode) {
        self.expectation = expectation
        self.now = now
        report = VerificationReport(mode)
        report.part = .idToken
    }

    static let algorithms: [JWSAlgorithm] = [.rs256, .es256]

    /// Returns the claims of a valid token; in an inspection, of every readable token.
    ///
    /// - Parameter keys: `nil` in an inspection without the provider's keys.
    mutating func claims(
        of token: String, _ keys: JWKSet?
    ) throws(PlatformSSORefusal) -> JSONObject? {
        let jws = try report.attempt(.content) { () throws(PlatformSSORefusal) in
            do throws(JOSEError) { return try UnverifiedJWS(compact: token) } catch {
                throw PlatformSSORefusal(error)
            }
        }
        guard let jws else { return nil }
        try signature(jws, keys)
        let claims = try MessageClaims(payload: jws.payload)
        try parties(claims)
        try times(claims)
        return claims.members
    }

    private mutating func signature(
        _ jws: UnverifiedJWS, _ keys: JWKSet?
    ) throws(PlatformSSORefusal) {
        guard let keys else {
            return report.leave(.signature, "no key was given that could have signed it")
        }
        _ = try report.attempt(.signature) { () throws(PlatformSSORefusal) in
            guard jws.header.keyID != nil else {
                throw PlatformSSORefusal(.keyNotFound, "the ID token names no key")
            }
            do throws(JOSEError) {
                return try JWSVerifier(keys: keys, algorithms: Self.algorithms).verify(jws)
            } catch { throw PlatformSSORefusal(error) }
        }
    }

    private mutating func parties(_ claims: MessageClaims) throws(PlatformSSORefusal) {
        let expected = expectation
        let nonce = expectation?.nonce ?? inspectedNonce
        _ = try report.attempt(.nonce, isCompared: nonce != nil) { () throws(PlatformSSORefusal) in
            let stated = try claims.requiredText("nonce")
            guard nonce?.hasSameBytes(as: stated) ?? true else {
                throw PlatformSSORefusal(.nonceMismatch, "nonce is another request's")
            }
        }
        _ = try report.attempt(.issuer, isCompared: expected != nil) {
            () throws(PlatformSSORefusal) in
            let issuer = try claims.requiredText("iss")
            guard expected?.issuer.hasSameBytes(as: issuer) ?? true else {
                throw PlatformSSORefusal(.issuerMismatch, "iss is \(issuer)")
            }
        }
        _ = try report.attempt(.audience, isCompared: expected != nil) {
            () throws(PlatformSSORefusal) in
            let audience = try claims.audience()
            guard !audience.isEmpty else {
                throw PlatformSSORefusal(.claimMissing, "aud is missing")
            }
            guard let expected else { return }
            guard audience.contains(where: expected.clientID.hasSameBytes) else {
                throw PlatformSSORefusal(.audienceMismatch, "aud is \(audience)")
            }
        }
        try authorizedParty(claims)
    }

    /// Required if `aud` is an array.
    private mutating func authorizedParty(
        _ claims: MessageClaims
    ) throws(PlatformSSORefusal) {
        let isArray = claims.members["aud"]?.array != nil
        guard isArray || claims.members["azp"] != nil else { return }
        let expected = expectation
        _ = try report.attempt(.authorizedParty, isCompared: expected != nil) {
            () throws(PlatformSSORefusal) in
            let party = try claims.requiredText("azp")
            guard expected?.clientID.hasSameBytes(as: party) ?? true else {
                throw PlatformSSORefusal(.authorizedPartyMismatch, "azp is \(party)")
            }
        }
    }

    private mutating func times(_ claims: MessageClaims) throws(PlatformSSORefusal) {
        let now = now
        _ = try report.attempt(.issuedAt) { () throws(PlatformSSORefusal) in
            try claims.issuedAt(now: now)
        }
        _ = try report.attempt(.expiry) { () throws(PlatformSSORefusal) in
            try claims.expiresAt(now: now)
        }
        guard claims.members["nbf"] != nil else { return }
        _ = try report.attempt(.notBefore) { () throws(PlatformSSORefusal) in
            try claims.checkNotBefore(now: now)
        }
    }
}
