// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives

/// Of whom an ID token speaks: its issuer and subject, and the claim by which a configuration knows people.
package struct LoginIdentity: Sendable, Equatable {
    package let issuer: String
    /// `sub`; `nil` where there is none, as in Apple's example of 2022.
    package let subject: String?
    /// `uniqueIdentifierClaimName`
    package let claim: String
    /// What that claim says.
    package let identifier: String?

    /// `nil` for what names nobody.
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

    /// Whether `later` says again, byte for byte, whatever this one says of the person.
    package func isSame(as later: LoginIdentity) -> Bool {
        guard issuer.hasSameBytes(as: later.issuer) else { return false }
        let isSubject = subject.map { later.subject?.hasSameBytes(as: $0) ?? false }
        // A configuration that goes by another claim now has nothing to compare but `sub`.
        let isIdentifier =
            claim.hasSameBytes(as: later.claim)
            ? identifier.map { later.identifier?.hasSameBytes(as: $0) ?? false } : nil
        let compared = [isSubject, isIdentifier].compactMap(\.self)
        return !compared.isEmpty && !compared.contains(false)
    }
}

/// What is known of a person before they are answered for again (OpenID Connect Core section 12.2): a later
/// answer is theirs, or is none.
package struct KnownLogin: Sendable, Equatable {
    package let identity: LoginIdentity
    /// `auth_time` of the login that a refresh goes on from; `nil` for another login.
    package let authenticatedAt: Timestamp?

    package init(_ identity: LoginIdentity, authenticatedAt: Timestamp? = nil) {
        self.identity = identity
        self.authenticatedAt = authenticatedAt
    }

    /// - Throws: `userMismatch`, `authenticationTimeMismatch`, `claimMalformed`.
    func check(_ claims: JSONObject, _ found: LoginIdentity?) throws(PlatformSSORefusal) {
        guard let found, identity.isSame(as: found) else {
            throw PlatformSSORefusal(.userMismatch, "the ID token is that of somebody else")
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
