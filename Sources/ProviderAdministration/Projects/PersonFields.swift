// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderDevices
import ProviderInstallations
import ProviderSettings
import ProviderTokens
import Storage

/// The keys of a person: claim names of OpenID Connect Core 1.0 section 5.1, `groups`, `attributes`
/// and `disabled`.
package enum PersonFields {
    static let person: [RecordField<Person>] = [
        .text("name", .ordinary, \.claims.name),
        email,
        .flag("email_verified", .ofOnePerson, \.claims.emailVerified),
        .list(
            "groups", .ofOnePerson, \.claims.groups,
            rule: { $0.isEmpty ? ValidationIssue(.empty) : nil }),
        .text("given_name", .ordinary, \.claims.givenName),
        .text("family_name", .ordinary, \.claims.familyName),
        .text("nickname", .ordinary, \.claims.nickname),
        .text("phone_number", .ofOnePerson, \.claims.phoneNumber),
        .flag("phone_number_verified", .ofOnePerson, \.claims.phoneNumberVerified),
        .text("address", .ordinary, \.claims.address),
        .text("birthdate", .ordinary, \.claims.birthdate),
        .text("gender", .ordinary, \.claims.gender),
        .text("locale", .ordinary, \.claims.locale),
        .text("zoneinfo", .ordinary, \.claims.zoneinfo),
        .text("picture", .ordinary, \.claims.picture, rule: TextRules.webPage),
        .text("website", .ordinary, \.claims.website, rule: TextRules.webPage),
        .list(
            "alt_security_identities", .ofOnePerson, \.claims.altSecurityIdentities,
            rule: { CertificateMapping.complaint($0) }),
        attributes, .flag("disabled", .ofOnePerson, \.disabled),
    ]

    /// The claim that each flag refers to.
    static let marks = ["email_verified": "email", "phone_number_verified": "phone_number"]

    private static let maximumAttributes = 50
    /// Maximum size of all attributes of a person as JSON, in bytes.
    private static let maximumAttributesLength = 8192

    /// The values for custom claims of clients (``CustomClaim/Source/attribute(_:)``).
    private static let attributes = RecordField<Person>(
        name: "attributes", .ofOnePerson, kinds: ["object"]
    ) { person in
        let object = try? JSONParser.parseObject(
            Array(person.attributes.utf8), maximumBytes: 65_536)
        return object.flatMap { $0.members.isEmpty ? nil : .object($0) }
    } write: { value, person in
        if value == .null {
            person.attributes = "{}"
            return nil
        }
        guard let object = value.object, object.members.count <= maximumAttributes else {
            return ValidationIssue(.notNames, ["most": "\(maximumAttributes)"])
        }
        for member in object.members {
            if let complaint = IssuerKeyFields.attribute(member.name)
                ?? ClaimValue.complaint(about: member.value)
            {
                return complaint.of(member.name)
            }
        }
        guard value.text.utf8.count <= maximumAttributesLength else {
            return ValidationIssue(.tooLong, ["most": "\(maximumAttributesLength)"])
        }
        person.attributes = value.text
        return nil
    }

    /// The email address, stored in canonical form.
    private static let email = RecordField<Person>(
        name: "email", .ofOnePerson, kinds: ["string"]
    ) {
        $0.claims.email.map(JSONValue.string)
    } write: { value, person in
        if value == .null {
            person.claims.email = nil
            return nil
        }
        guard let address = value.string.flatMap(EmailAddressSyntax.canonical) else {
            return ValidationIssue(.notEmailAddress)
        }
        person.claims.email = address
        return nil
    }
}
