// SPDX-License-Identifier: Apache-2.0
import JOSE
import Storage

/// The keys of a person: OpenID Connect Core 1.0 section 5.1 claim names, `groups` and `disabled`.
enum PersonFields {
    static let person: [RecordField<Person>] = [
        .text("name", \.claims.name),
        .text("given_name", \.claims.givenName),
        .text("family_name", \.claims.familyName),
        .text("nickname", \.claims.nickname),
        .text("picture", \.claims.picture, rule: TextRules.webPage),
        .text("website", \.claims.website, rule: TextRules.webPage),
        .text("gender", \.claims.gender),
        .text("birthdate", \.claims.birthdate),
        .text("zoneinfo", \.claims.zoneinfo),
        .text("locale", \.claims.locale),
        email,
        .flag("email_verified", \.claims.emailVerified),
        .text("phone_number", \.claims.phoneNumber),
        .flag("phone_number_verified", \.claims.phoneNumberVerified),
        .text("address", \.claims.address),
        .list("groups", \.claims.groups, rule: { $0.isEmpty ? StateComplaint(.empty) : nil }),
        .list(
            "alt_security_identities", \.claims.altSecurityIdentities,
            rule: { CertificateMapping.complaint($0) }),
        .flag("disabled", \.disabled),
    ]

    /// Kept in the form in which addresses are compared.
    private static let email = RecordField<Person>(name: "email") {
        $0.claims.email.map(JSONValue.string)
    } write: { value, person in
        if value == .null {
            person.claims.email = nil
            return nil
        }
        guard let address = value.string.flatMap(EmailAddress.canonical) else {
            return StateComplaint(.notEmailAddress)
        }
        person.claims.email = address
        return nil
    }
}
