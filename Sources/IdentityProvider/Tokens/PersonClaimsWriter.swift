// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import Storage

/// From scopes and single requests to claims: OpenID Connect Core sections 5.4 and 5.5, and
/// `groups`.
struct PersonClaimsWriter: Sendable {
    let person: Person

    /// Which claims a scope stands for, in the order in which they are written.
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

    /// The scope that a claim belongs to. Whoever may not ask for the scope may not ask for its
    /// claims one by one.
    static func scope(of claim: String) -> String? {
        table.first { $0.claims.contains(claim) }?.scope
    }

    /// Claims that the scopes allow, and those asked for one by one. `sub` is always there.
    func json(for scope: ScopeSet, and single: [ClaimsRequest.Member] = []) -> [UInt8] {
        var claims = JSONWriter()
        claims.member("sub", person.id.description)
        var written: Set<String> = []
        for (name, members) in Self.table where scope.contains(name) {
            for member in members {
                guard let value = value(of: member) else { continue }
                claims.member(named: member, value)
                written.insert(member)
            }
        }
        for (name, value) in values(of: single) where !written.contains(name) {
            claims.member(named: name, value)
        }
        return claims.finish()
    }

    /// What is known of the claims that the scopes stand for.
    func values(for scope: ScopeSet) -> [(name: String, value: JSONValue)] {
        Self.table.filter { scope.contains($0.scope) }.flatMap(\.claims).compactMap { name in
            value(of: name).map { (name, $0) }
        }
    }

    /// What is known of the claims that were asked for one by one, each with a value it may have.
    func values(of single: [ClaimsRequest.Member]) -> [(name: String, value: JSONValue)] {
        single.compactMap { member in
            guard let value = value(of: member.name), member.accepts(value) else { return nil }
            return (member.name, value)
        }
    }

    private func value(of claim: String) -> JSONValue? {
        let known = person.claims
        return switch claim {
        case "preferred_username": .string(person.username)
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
    /// What a client with those scopes may ask for.
    func allowed(by scope: ScopeSet) -> ClaimsRequest {
        filtered { PersonClaimsWriter.scope(of: $0).map(scope.contains) ?? false }
    }
}
