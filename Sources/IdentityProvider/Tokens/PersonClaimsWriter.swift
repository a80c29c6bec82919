// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import Storage

/// From scopes to claims: OpenID Connect Core section 5.4, and `groups`.
struct PersonClaimsWriter: Sendable {
    let person: Person

    /// Claims that the scopes allow. `sub` is always there.
    func json(for scope: ScopeSet) -> [UInt8] {
        var claims = JSONWriter()
        claims.member("sub", person.id.description)
        if scope.contains("profile") { writeProfile(to: &claims) }
        if scope.contains("email"), let email = person.claims.email {
            claims.member("email", email)
            claims.member("email_verified", person.claims.emailVerified ?? false)
        }
        if scope.contains("phone"), let number = person.claims.phoneNumber {
            claims.member("phone_number", number)
            claims.member("phone_number_verified", person.claims.phoneNumberVerified ?? false)
        }
        if scope.contains("address"), let address = person.claims.address {
            claims.member("address", ["formatted": .string(address)])
        }
        if scope.contains("groups") { claims.member("groups", person.claims.groups ?? []) }
        return claims.finish()
    }

    private func writeProfile(to claims: inout JSONWriter) {
        let known = person.claims
        claims.member("preferred_username", person.username)
        claims.member("name", ifPresent: known.name)
        claims.member("given_name", ifPresent: known.givenName)
        claims.member("family_name", ifPresent: known.familyName)
        claims.member("nickname", ifPresent: known.nickname)
        claims.member("picture", ifPresent: known.picture)
        claims.member("website", ifPresent: known.website)
        claims.member("gender", ifPresent: known.gender)
        claims.member("birthdate", ifPresent: known.birthdate)
        claims.member("zoneinfo", ifPresent: known.zoneinfo)
        claims.member("locale", ifPresent: known.locale)
        if let updated = known.updatedAt { claims.member("updated_at", updated) }
    }
}
