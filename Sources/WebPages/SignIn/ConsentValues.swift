// SPDX-License-Identifier: Apache-2.0
import Storage

/// What a page shows that asks whether an app may.
struct ConsentValues {
    let visit: PageContext

    init(_ visit: PageContext) { self.visit = visit }

    func values(
        _ client: ClientDisplayInfo, scopes: [String], action: String, heading: String,
        lead: String,
        person: Person?
    ) -> [String: Any] {
        var values: [String: Any] = [
            "client": client.face, "heading": heading, "lead": lead, "action": action,
            "scopes": words(for: scopes),
            "signedInAs": person.map {
                visit.text("consentAs", ["name": $0.claims.name ?? $0.username])
            } ?? "",
        ]
        values["policyURI"] = client.policyURI.flatMap(Self.webAddress)
        values["tosURI"] = client.tosURI.flatMap(Self.webAddress)
        return values
    }

    /// Scopes as sentences; those we do not know by their own name, so nothing is hidden.
    func words(for scopes: [String]) -> [String] {
        scopes.map { scope in
            let key = "scope.\(scope)"
            return scope != "other" && visit.language.texts[key] != nil
                ? visit.text(key) : visit.text("scope.other", ["scope": scope])
        }
    }

    /// Links lead to the web only, never to a script.
    static func webAddress(_ text: String) -> String? {
        text.hasPrefix("https://") || text.hasPrefix("http://") ? text : nil
    }
}
