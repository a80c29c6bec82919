// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Someone who can sign in. `id` is the OIDC `sub`, and never given to anyone else.
package struct Person: Sendable, Equatable {
    package var id: Identifier<Person>
    package var project: Identifier<Project>
    /// Unique in the project and realm, compared in ``UserName`` canonical form.
    package var username: String
    /// Whose name that is: an issuer's; empty for the names that the project itself gives.
    package var realm: String
    /// What applications are told as the user name (`preferred_username`): unique in the project, of
    /// whatever realm people are. The store gives it once, with the person (``shownNames``).
    package var shownName: String
    /// What their accounts on machines are called: unique in the project, given once by the store when
    /// a machine first asks, and never changed.
    package var accountName: String?
    /// Until when they may come by an invitation; `nil` for who was not invited, or has come.
    package var invitedUntil: Timestamp?
    package var claims: PersonClaims
    /// A disabled person gets in nowhere: no sign-in, no refresh.
    package var disabled: Bool
    package var createdAt: Timestamp
    /// The registration method of the app that the person came with; empty for everybody else.
    package var origin: String
    /// What else is known of them, a JSON object: from an administrator, or from the issuer that vouched
    /// for them, whose next statement replaces all of it.
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

    /// User name and realm as one text, unique in the project: what people are kept and listed by.
    /// A name of a realm has a character in it that no user name may have.
    package var qualifiedName: String {
        realm.isEmpty ? username : "\(username)\(Self.realmMark)\(realm)"
    }

    /// The names that applications may be told, the best first; the person has the first that is
    /// free. A name with an `@` could be taken for a mailbox: only the owner of that mailbox has it
    /// when it comes from another place.
    package var shownNames: [String] {
        let place = realm.isEmpty ? "local" : Self.place(of: realm)
        let others = ["\(username)#\(place)", "\(username)#\(id)", id.description]
        let isPlain = realm.isEmpty || !username.contains("@") || ownsMailbox(username)
        return isPlain ? [username] + others : others
    }

    /// Whether that is their e-mail address, and is verified.
    package func ownsMailbox(_ address: String) -> Bool {
        claims.emailVerified == true && claims.email?.lowercased() == address
    }

    /// A realm as people read it: the name of the provider, or the issuer without its scheme.
    private static func place(of realm: String) -> String {
        for prefix in ["idp:", "https://"] where realm.hasPrefix(prefix) {
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

/// What the provider knows of a person: OIDC Core section 5.1 names. Stored as JSON.
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
    /// The whole postal address as it is written on an envelope.
    package var address: String?
    package var groups: [String]?
    /// Names by which certificates are theirs, as directories write them (`X509:<I>…<SR>…`). Nobody
    /// but an administrator sets them, and no application is told.
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
