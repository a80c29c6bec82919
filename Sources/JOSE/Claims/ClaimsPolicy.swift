// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The required claims of a JWT (RFC 7519 section 4.1, RFC 8725). Expiry is always checked.
package struct ClaimsPolicy: Sendable {
    package enum Audience: Sendable, Equatable {
        /// One of these is among the audiences.
        case includesOne(of: [String])
        /// `aud` is one string, or an array of one, and is one of these.
        case only(oneOf: [String])
        /// `aud` is one JSON string, no array, and is one of these (private_key_jwt as the
        /// revision of RFC 7523 has it).
        case exactlyOneString(oneOf: [String])
        /// The token has no audience, or it is checked elsewhere.
        case notChecked
    }

    /// Whether a token without `exp` is refused.
    package enum Expiry: Sendable, Equatable {
        case required
        /// For messages that age by `iat` instead (DPoP proofs, logout hints).
        case checkedWhenPresent
        /// `exp` may have passed: an `id_token_hint` still identifies the person.
        case ignored
    }

    /// The acceptable `iss` values; `nil` leaves the issuer to the caller.
    package var issuers: [String]?
    package var audience: Audience
    /// The acceptable `typ` of the header, without case or `application/`; `nil` for any or none.
    package var types: [String]?
    package var subject: String?
    /// Names of claims that must be there and not be `null`.
    package var required: [String]
    package var expiry: Expiry
    /// The accepted clock skew, also for `iat` and `nbf` in the future.
    package var leeway: TimeSpan
    /// The greatest age by `iat`, which is then required.
    package var maximumAge: TimeSpan?
    /// The longest acceptable time from now to `exp`.
    package var maximumLifetime: TimeSpan?

    package init(
        issuers: [String]?, audience: Audience, types: [String]?, subject: String? = nil,
        required: [String] = [], expiry: Expiry = .required, leeway: TimeSpan = .seconds(10),
        maximumAge: TimeSpan? = nil, maximumLifetime: TimeSpan? = nil
    ) {
        self.issuers = issuers
        self.audience = audience
        self.types = types
        self.subject = subject
        self.required = required
        self.expiry = expiry
        self.leeway = leeway
        self.maximumAge = maximumAge
        self.maximumLifetime = maximumLifetime
    }

    /// Checks the claims of a message whose signature was right.
    ///
    /// - Throws: `typeMismatch`, `claimsMalformed`, `claimMissing`, `issuerMismatch`,
    ///   `audienceMismatch`, `subjectMismatch`, `expired`, `notYetValid`, `tooOld`.
    package func verify(_ jws: VerifiedJWS, now: Timestamp) throws(JOSEError) -> VerifiedClaims {
        if let types, !types.contains(where: jws.header.isType) {
            throw JOSEError(.typeMismatch, "typ is \(jws.header.type ?? "absent")")
        }
        let claims = try VerifiedClaims(unchecked: jws)
        try checkParties(claims)
        for name in required {
            guard let value = claims.members[name], value != .null else {
                throw JOSEError(.claimMissing, "\(name) is missing")
            }
        }
        try checkTimes(claims, now: now)
        return claims
    }

    private func checkParties(_ claims: VerifiedClaims) throws(JOSEError) {
        if let issuers {
            guard let issuer = claims.issuer, issuers.contains(where: issuer.hasSameBytes) else {
                throw JOSEError(.issuerMismatch, "iss is \(claims.issuer ?? "absent")")
            }
        }
        if let subject {
            guard claims.subject?.hasSameBytes(as: subject) == true else {
                throw JOSEError(.subjectMismatch, "sub is \(claims.subject ?? "absent")")
            }
        }
        guard admits(claims) else {
            throw JOSEError(.audienceMismatch, "aud is \(claims.audience)")
        }
    }

    private func admits(_ claims: VerifiedClaims) -> Bool {
        func holds(_ accepted: [String]) -> Bool {
            claims.audience.contains { accepted.contains(where: $0.hasSameBytes) }
        }
        return switch audience {
        case .notChecked: true
        case .includesOne(let accepted): holds(accepted)
        case .only(let accepted): claims.audience.count == 1 && holds(accepted)
        case .exactlyOneString(let accepted):
            claims.members["aud"]?.string != nil && holds(accepted)
        }
    }

    private func checkTimes(_ claims: VerifiedClaims, now: Timestamp) throws(JOSEError) {
        try checkExpiry(claims, now: now)
        if let notBefore = claims.notBefore, notBefore > now + leeway {
            throw JOSEError(.notYetValid, "nbf lies in the future")
        }
        if let issuedAt = claims.issuedAt, issuedAt > now + leeway {
            throw JOSEError(.notYetValid, "iat lies in the future")
        }
        guard let maximumAge else { return }
        guard let issuedAt = claims.issuedAt else {
            throw JOSEError(.claimMissing, "iat is missing")
        }
        guard issuedAt + maximumAge + leeway > now else {
            throw JOSEError(.tooOld, "iat lies too far back")
        }
    }

    private func checkExpiry(_ claims: VerifiedClaims, now: Timestamp) throws(JOSEError) {
        guard let expiresAt = claims.expiresAt else {
            guard expiry != .required else {
                throw JOSEError(.claimMissing, "exp is missing")
            }
            return
        }
        guard expiry == .ignored || now < expiresAt + leeway else {
            throw JOSEError(.expired, "exp has passed")
        }
        if let maximumLifetime, expiresAt > now + maximumLifetime + leeway {
            throw JOSEError(.tooOld, "exp lies too far ahead")
        }
    }
}

/// The claims of a JWT that a ``ClaimsPolicy`` accepted.
package struct VerifiedClaims: Sendable {
    package let header: JOSEHeader
    package let members: JSONObject
    /// The key that signed.
    package let key: JSONWebKey
    package let issuer: String?
    package let subject: String?
    /// `aud`, whether it was one string or an array.
    package let audience: [String]
    package let expiresAt: Timestamp?
    package let notBefore: Timestamp?
    package let issuedAt: Timestamp?
    /// `jti`
    package let identifier: String?

    package subscript(name: String) -> JSONValue? { members[name] }

    /// Reads; the policy has yet to check.
    fileprivate init(unchecked jws: VerifiedJWS) throws(JOSEError) {
        do {
            members = try JSONParser.parseObject(jws.payload, maximumBytes: 65_536)
        } catch {
            throw JOSEError(.claimsMalformed, "the payload is not a JSON object: \(error.code)")
        }
        header = jws.header
        key = jws.key
        let reader = JSONReader(members) { JOSEError(.claimsMalformed, $0.description) }
        issuer = try reader.optional("iss", .string)
        subject = try reader.optional("sub", .string)
        identifier = try reader.optional("jti", .string)
        audience = try reader.optional("aud", .audience(0...64)) ?? []
        expiresAt = try reader.optional("exp", .numericDate)
        notBefore = try reader.optional("nbf", .numericDate)
        issuedAt = try reader.optional("iat", .numericDate)
    }
}
