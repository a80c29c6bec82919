// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives

/// The person of an ID token: its issuer and subject, and the claim by which a configuration
/// identifies people.
package struct LoginIdentity: Sendable, Equatable {
    package let issuer: String
    /// `sub`; `nil` if it is absent, as in Apple's example of 2022.
    package let subject: String?
    /// `uniqueIdentifierClaimName`
    package let claim: String
    /// The value of that claim.
    package let identifier: String?

    /// Returns `nil` without a subject and an identifier.
    package init?(issuer: String, subject: String?, claim: String, identifier: String?) {
        guard subject != nil || identifier != nil else { return nil }
        self.issuer = issuer
        self.subject = subject
        self.claim = claim
        self.identifier = identifier
    }

    init?(_ claims: JSONObject, _ configuration: LoginConfiguration) {
        let claim = configuration.uniqueIdentifierClaimName
        self.init(
            issuer: configuration.issuer, subject: Self.text(claims["sub"]), claim: claim,
            identifier: Self.text(claims[claim]))
    }

    private static func text(_ value: JSONValue?) -> String? {
        value?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether `later` contains the same values, byte for byte, for the claims that both contain.
    package func isSame(as later: LoginIdentity) -> Bool {
        guard issuer.hasSameBytes(as: later.issuer) else { return false }
        let isSubject = subject.map { later.subject?.hasSameBytes(as: $0) ?? false }
        // If the configuration now uses another claim, only `sub` can be compared.
        let isIdentifier =
            claim.hasSameBytes(as: later.claim)
            ? identifier.map { later.identifier?.hasSameBytes(as: $0) ?? false } : nil
        let compared = [isSubject, isIdentifier].compactMap(\.self)
        return !compared.isEmpty && !compared.contains(false)
    }
}

/// The person of an earlier login (OpenID Connect Core section 12.2): a later response must be
/// about the same person.
package struct KnownLogin: Sendable, Equatable {
    package let identity: LoginIdentity
    /// `auth_time` of the login that a refresh continues; `nil` for another login.
    package let authenticatedAt: Timestamp?

    package init(_ identity: LoginIdentity, authenticatedAt: Timestamp? = nil) {
        self.identity = identity
        self.authenticatedAt = authenticatedAt
    }

    /// - Throws: `userMismatch`, `authenticationTimeMismatch`, `claimMalformed`.
    func check(_ claims: JSONObject, _ found: LoginIdentity?) throws(PlatformSSORefusal) {
        guard let found, identity.isSame(as: found) else {
            throw PlatformSSORefusal(.userMismatch, "the ID token identifies another person")
        }
        guard let authenticatedAt, let stated = try MessageClaims(claims).time("auth_time") else {
            return
        }
        guard stated == authenticatedAt else {
            throw PlatformSSORefusal(
                .authenticationTimeMismatch, "auth_time is not that of the login")
        }
    }
}
