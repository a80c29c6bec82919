// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A person who can sign in. `id` is the OIDC `sub` and is never reused.
package struct Person: Sendable, Equatable {
    package var id: Identifier<Person>
    package var project: Identifier<Project>
    /// Unique in the project and realm, compared in ``UserName`` canonical form.
    package var username: String
    /// The realm of the username: an issuer, or empty for the project's own realm.
    package var realm: String
    /// The username that applications receive (`preferred_username`), unique in the project across
    /// realms. The store assigns it once, at insertion (``shownNames``).
    package var shownName: String
    /// The name of the person's local accounts on devices: unique in the project, assigned at the
    /// first request of a device, and never changed.
    package var accountName: String?
    /// The expiry of an invitation; `nil` for a person who was not invited or has accepted.
    package var invitedUntil: Timestamp?
    package var claims: PersonClaims
    /// A disabled person cannot sign in or refresh tokens.
    package var disabled: Bool
    package var createdAt: Timestamp
    /// The registration method of the app that the person registered with; empty for others.
    package var origin: String
    /// Further attributes, a JSON object: from an administrator, or from the issuer that identified
    /// the person. The issuer's next statement replaces all of them.
    package var attributes: String
    /// The name of their entitlement set; empty for none.
    package var entitlementSet: String

    package init(
        id: Identifier<Person>,
        project: Identifier<Project>,
        username: String,
        realm: String = "",
        shownName: String? = nil,
        claims: PersonClaims = PersonClaims(),
        disabled: Bool = false,
        createdAt: Timestamp,
        origin: String = "",
        attributes: String = "{}",
        entitlementSet: String = ""
    ) {
        self.id = id
        self.project = project
        self.username = username
        self.realm = realm
        self.shownName = shownName ?? username
        self.claims = claims
        self.disabled = disabled
        self.createdAt = createdAt
        self.origin = origin
        self.attributes = attributes
        self.entitlementSet = entitlementSet
    }

    /// Username and realm as one text, unique in the project: the sort key of people. The separator
    /// of a realm is a character that usernames must not contain.
    package var qualifiedName: String {
        realm.isEmpty ? username : "\(username)\(Self.realmMark)\(realm)"
    }

    /// The candidates for ``shownName``, best first; the person receives the first free one.
    ///
    /// A name with an `@` could be read as an email address. In another realm, only the owner of
    /// that mailbox can have it.
    package var shownNames: [String] {
        let place = realm.isEmpty ? "local" : Self.place(of: realm)
        let others = ["\(username)#\(place)", "\(username)#\(id)", id.description]
        let isPlain = realm.isEmpty || !username.contains("@") || ownsMailbox(username)
        return isPlain ? [username] + others : others
    }

    /// Whether that is the person's email address, and is verified.
    package func ownsMailbox(_ address: String) -> Bool {
        claims.emailVerified == true && claims.email?.lowercased() == address
    }

    /// Returns the realm for display: the name of the provider, or the issuer without its scheme.
    private static func place(of realm: String) -> String {
        for prefix in [UpstreamProvider.realmPrefix, "https://"] where realm.hasPrefix(prefix) {
            return String(realm.dropFirst(prefix.count))
        }
        return realm
    }

    /// The parts of a ``qualifiedName``.
    package static func parts(of qualifiedName: String) -> (username: String, realm: String) {
        let parts = qualifiedName.split(
            separator: realmMark, maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
    }

    private static let realmMark: Character = "\u{1F}"
}

/// A person's claims: OIDC Core section 5.1 names. Stored as JSON.
package struct PersonClaims: Sendable, Equatable, Codable {
    package var name: String?
    package var givenName: String?
    package var familyName: String?
    package var nickname: String?
    package var picture: String?
    package var website: String?
    package var gender: String?
    package var birthdate: String?
    package var zoneinfo: String?
    package var locale: String?
    package var email: String?
    package var emailVerified: Bool?
    package var phoneNumber: String?
    package var phoneNumberVerified: Bool?
    /// The complete postal address in the form for an envelope.
    package var address: String?
    package var groups: [String]?
    /// The certificate mappings of the person, as directories write them (`X509:<I>…<SR>…`). Only
    /// administrators can set them, and applications do not receive them.
    package var altSecurityIdentities: [String]?
    package var updatedAt: Int64?

    package init() {}

    enum CodingKeys: String, CodingKey {
        case name, nickname, picture, website, gender, birthdate, zoneinfo, locale, email
        case givenName = "given_name"
        case familyName = "family_name"
        case emailVerified = "email_verified"
        case phoneNumber = "phone_number"
        case phoneNumberVerified = "phone_number_verified"
        case address, groups
        case altSecurityIdentities = "alt_security_identities"
        case updatedAt = "updated_at"
    }
}
