// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Someone who can sign in. `id` is the OIDC `sub`, and never given to anyone else.
package struct Person: Sendable, Equatable {
    package var id: Identifier<Person>
    package var project: Identifier<Project>
    /// Unique in the project, compared in ``UserName`` canonical form.
    package var username: String
    package var claims: PersonClaims
    /// A disabled person gets in nowhere: no sign-in, no refresh.
    package var disabled: Bool
    package var createdAt: Timestamp

    package init(
        id: Identifier<Person>,
        project: Identifier<Project>,
        username: String,
        claims: PersonClaims = PersonClaims(),
        disabled: Bool = false,
        createdAt: Timestamp
    ) {
        self.id = id
        self.project = project
        self.username = username
        self.claims = claims
        self.disabled = disabled
        self.createdAt = createdAt
    }
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
        case updatedAt = "updated_at"
    }
}
