// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import OAuth
import Primitives
package import Storage

/// Writes the claims of scopes and of individual requests: OpenID Connect Core sections 5.4 and
/// 5.5, and `groups`.
package struct PersonClaimsWriter: Sendable {
    package let person: Person

    package init(person: Person) {
        self.person = person
    }

    /// The claims of each scope, in the order in which they are written.
    private static let table: [(scope: String, claims: [String])] = [
        (
            "profile",
            [
                "preferred_username", "name", "given_name", "family_name", "nickname", "picture",
                "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at",
            ]
        ),
        ("email", ["email", "email_verified"]),
        ("phone", ["phone_number", "phone_number_verified"]),
        ("address", ["address"]),
        ("groups", ["groups"]),
    ]

    /// The scope of a claim. A client that may not request the scope may not request its claims
    /// individually.
    static func scope(of claim: String) -> String? {
        table.first { $0.claims.contains(claim) }?.scope
    }

    /// The JSON document with the claims of the scopes, the individually requested claims and the
    /// client's custom claims. It always contains `sub`.
    func json(
        for scope: ScopeSet, and single: [ClaimsRequest.Member] = [], custom: [CustomClaim] = []
    ) -> [UInt8] {
        var claims = JSONWriter()
        claims.member("sub", person.id.description)
        let all = values(for: scope) + values(of: single) + values(of: custom, in: .userInfo)
        for (name, value) in Self.once(all) { claims.member(named: name, value) }
        return claims.finish()
    }

    /// The custom claims for one kind of token.
    func values(
        of custom: [CustomClaim], in place: CustomClaim.Destination
    ) -> [(name: String, value: JSONValue)] {
        custom.filter { $0.places.contains(place) }.compactMap { claim in
            claim.value(for: person).map { (claim.name, $0) }
        }
    }

    /// Removes duplicates: of two claims with the same name, the first is used.
    static func once(
        _ claims: [(name: String, value: JSONValue)]
    ) -> [(name: String, value: JSONValue)] {
        var seen: Set<String> = []
        return claims.filter { seen.insert($0.name).inserted }
    }

    /// Whether the scopes contain claims of a person.
    static func isNeeded(for scope: ScopeSet) -> Bool {
        table.contains { scope.contains($0.scope) }
    }

    /// The known values of the claims of the scopes.
    package func values(for scope: ScopeSet) -> [(name: String, value: JSONValue)] {
        Self.table.filter { scope.contains($0.scope) }.flatMap(\.claims).compactMap { name in
            value(of: name).map { (name, $0) }
        }
    }

    /// The known values of individually requested claims, if the request accepts the value.
    func values(of single: [ClaimsRequest.Member]) -> [(name: String, value: JSONValue)] {
        single.compactMap { member in
            guard let value = value(of: member.name), member.accepts(value) else { return nil }
            return (member.name, value)
        }
    }

    private func value(of claim: String) -> JSONValue? {
        let known = person.claims
        return switch claim {
        case "preferred_username": .string(person.shownName)
        case "name": known.name.map(JSONValue.string)
        case "given_name": known.givenName.map(JSONValue.string)
        case "family_name": known.familyName.map(JSONValue.string)
        case "nickname": known.nickname.map(JSONValue.string)
        case "picture": known.picture.map(JSONValue.string)
        case "website": known.website.map(JSONValue.string)
        case "gender": known.gender.map(JSONValue.string)
        case "birthdate": known.birthdate.map(JSONValue.string)
        case "zoneinfo": known.zoneinfo.map(JSONValue.string)
        case "locale": known.locale.map(JSONValue.string)
        case "updated_at": known.updatedAt.map(JSONValue.integer)
        case "groups": .array((known.groups ?? []).map(JSONValue.string))
        default: contact(claim)
        }
    }

    private func contact(_ claim: String) -> JSONValue? {
        let known = person.claims
        return switch claim {
        case "email": known.email.map(JSONValue.string)
        case "email_verified": known.email.map { _ in .bool(known.emailVerified ?? false) }
        case "phone_number": known.phoneNumber.map(JSONValue.string)
        case "phone_number_verified":
            known.phoneNumber.map { _ in .bool(known.phoneNumberVerified ?? false) }
        case "address": known.address.map { ["formatted": .string($0)] }
        default: nil
        }
    }
}

extension ClaimsRequest {
    /// The claims that a client with these scopes may request.
    func allowed(by scope: ScopeSet) -> ClaimsRequest {
        filtered { PersonClaimsWriter.scope(of: $0).map(scope.contains) ?? false }
    }
}
