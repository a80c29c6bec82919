// SPDX-License-Identifier: Apache-2.0
import JOSE
import Storage

/// What of an upstream provider's claims becomes what here. Groups are never among them, and what
/// is verified only where the project believes the provider.
struct ClaimMapping: Sendable {
    /// Names on our side that may be mapped. `sub` is for plain OAuth 2 alone.
    static let names = [
        "sub", "username", "name", "given_name", "family_name", "nickname", "picture", "website",
        "zoneinfo", "locale", "email", "email_verified", active,
    ]

    /// Whether the provider still knows them; only where the project names their claim for it.
    private static let active = "active"

    private let settings: UpstreamSettings

    init(_ settings: UpstreamSettings) { self.settings = settings }

    private func source(_ name: String) -> String {
        settings.claims[name] ?? (name == "username" ? "preferred_username" : name)
    }

    /// Which claims of theirs are read for a new person.
    var sources: [String] {
        Self.names.filter { name in
            name != "sub" && (name != Self.active || settings.claims[name] != nil)
        }.map(source)
    }

    /// Whether the provider says that they are no longer its own. Anything but a plain yes is a no
    /// where it is asked for: silence must not let in whom it has put out.
    func isInactive(in claims: JSONObject) -> Bool {
        guard let name = settings.claims[Self.active] else { return false }
        return claims[name] != .bool(true)
    }

    /// Who it is, as the provider knows them: text, or a whole number as some have it. Visible
    /// ASCII of at most 255 bytes (OpenID Connect Core section 2).
    func subject(in claims: JSONObject) -> String? {
        guard let value = claims[source("sub")] else { return nil }
        guard let text = value.string ?? value.integer.map(String.init),
            (1...255).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return text
    }

    /// What the provider calls them; `nil` when that is no user name.
    func username(in claims: JSONObject) -> String? {
        claims[source("username")]?.string.flatMap(UserName.canonical)
    }

    /// What is kept of a new person. Values that cannot be are left out: they are no reason to
    /// turn somebody away.
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

    /// Puts what the provider says now in the place of what it said before. What it does not
    /// mention stays, and what it says is `null` goes.
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
        // An address that was confirmed here stays so while it is the same.
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
