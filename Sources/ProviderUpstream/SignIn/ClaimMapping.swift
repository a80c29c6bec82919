// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderSettings
import Storage

/// Maps the claims of an upstream provider to those of a person. Groups are never mapped. Verified
/// flags are mapped only if the project trusts the provider.
struct ClaimMapping: Sendable {
    /// The names of claims that can be mapped. `sub` can be mapped only for plain OAuth 2.
    static let names = [
        "sub", "username", "name", "given_name", "family_name", "nickname", "picture", "website",
        "zoneinfo", "locale", "email", "email_verified", active,
    ]

    /// Whether the provider still has the person; only if the project maps a claim to it.
    private static let active = "active"

    private let settings: UpstreamSettings

    init(_ settings: UpstreamSettings) { self.settings = settings }

    private func source(_ name: String) -> String {
        settings.claims[name] ?? (name == "username" ? "preferred_username" : name)
    }

    /// The names of the provider's claims that are read for a new person.
    var sources: [String] {
        Self.names.filter { name in
            name != "sub" && (name != Self.active || settings.claims[name] != nil)
        }.map(source)
    }

    /// Whether the person is inactive at the provider. If the claim is mapped, every value except
    /// `true` means inactive, so that a missing claim gives no access.
    func isInactive(in claims: JSONObject) -> Bool {
        guard let name = settings.claims[Self.active] else { return false }
        return claims[name] != .bool(true)
    }

    /// The subject at the provider: a string, or an integer as some providers send. It is visible
    /// ASCII of at most 255 bytes (OpenID Connect Core section 2).
    func subject(in claims: JSONObject) -> String? {
        guard let value = claims[source("sub")] else { return nil }
        guard let text = value.string ?? value.integer.map(String.init),
            (1...255).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return text
    }

    /// The username at the provider; `nil` if it is not a valid username.
    func username(in claims: JSONObject) -> String? {
        claims[source("username")]?.string.flatMap(UserName.canonical)
    }

    /// The profile of a new person. Invalid values are omitted: they are not a reason to refuse the
    /// person.
    func profile(of claims: JSONObject) -> PersonClaims {
        func text(_ name: String) -> String? {
            claims[source(name)]?.string.flatMap { UserName.display($0) }
        }
        var profile = PersonClaims()
        profile.name = text("name")
        profile.givenName = text("given_name")
        profile.familyName = text("family_name")
        profile.nickname = text("nickname")
        profile.zoneinfo = text("zoneinfo")
        profile.locale = text("locale")
        profile.picture = page(claims[source("picture")])
        profile.website = page(claims[source("website")])
        if let email = claims[source("email")]?.string.flatMap(EmailAddressSyntax.canonical) {
            profile.email = email
            profile.emailVerified =
                settings.trustsEmail && claims[source("email_verified")] == .bool(true)
        }
        return profile
    }

    /// Replaces the provider's claims by the current ones. A missing claim is unchanged, and a
    /// `null` claim is removed.
    func refresh(_ profile: inout PersonClaims, with claims: JSONObject) {
        let said = self.profile(of: claims)
        let fields: [(String, WritableKeyPath<PersonClaims, String?>)] = [
            ("name", \.name), ("given_name", \.givenName), ("family_name", \.familyName),
            ("nickname", \.nickname), ("zoneinfo", \.zoneinfo), ("locale", \.locale),
            ("picture", \.picture), ("website", \.website),
        ]
        for (name, path) in fields {
            if claims[source(name)] == .null {
                profile[keyPath: path] = nil
            } else if let value = said[keyPath: path] {
                profile[keyPath: path] = value
            }
        }
        guard let email = said.email else { return }
        // A verified address stays verified if it is unchanged.
        let isKnown = profile.email == email && profile.emailVerified == true
        profile.email = email
        profile.emailVerified = isKnown || said.emailVerified == true
    }

    private func page(_ value: JSONValue?) -> String? {
        guard let text = value?.string, text.utf8.count <= 2048, TextRules.webPage(text) == nil,
            TextRules.line(text) == nil
        else { return nil }
        return text
    }
}
