// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
package import HTTPTypes
package import ProviderCore
import Storage

extension PageContext {
    /// Draws a page.
    ///
    /// - Parameters:
    ///   - refusal: what was refused. It gives the status, the text and `Retry-After`.
    ///   - here: the path that shows this page again with GET, for the language switch.
    ///   - isEmbeddable: whether pages of the project's `top_origins` may hold it in a frame.
    ///   - formOrigin: an origin besides our own that a form's answer may lead to: browsers hold
    ///     redirects after a form against `form-action` as well.
    package func render(
        _ template: String, title: String, _ values: [String: Any] = [:],
        status: HTTPResponse.Status = .ok, refusal: Refusal? = nil, error: String? = nil,
        notice: String? = nil, here: String? = nil, formOrigin: String? = nil,
        isEmbeddable: Bool = false
    ) -> ServerResponse {
        var all = chrome(here: here ?? request.path)
        all["title"] = title
        all["error"] = error ?? refusal.map { language.text(for: $0) }
        all["notice"] = notice
        all.merge(values) { $1 }
        guard let html = pages.renderer.render(template, all) else {
            return Problem.response(
                .internalServerError, code: "no_template", message: "A page is missing.",
                requestID: request.facts.requestID)
        }
        var response = ServerResponse.html(
            html, status: refusal.map(SignInPages.status) ?? status)
        if let wait = refusal?.retryAfter { response.headers[.retryAfter] = String(wait) }
        response.headers[.contentSecurityPolicy] = Self.policy(
            formOrigin: formOrigin, ancestors: isEmbeddable ? topOrigins : [])
        response.headers[.permissionsPolicy] = Self.permissions(isEmbeddable: isEmbeddable)
        return response
    }

    static func policy(formOrigin: String?, ancestors: [String]) -> String {
        let extra = formOrigin.map { " \($0)" } ?? ""
        let holders = ancestors.isEmpty ? "'none'" : ancestors.joined(separator: " ")
        return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            + "connect-src 'self'; form-action 'self'\(extra); frame-ancestors \(holders); "
            + "base-uri 'none'"
    }

    /// Ceremonies are for this page and for no frame in it; a page that can be held in a frame
    /// signs in, and makes nothing (WebAuthn Level 3 sections 5.9 and 5.10).
    static func permissions(isEmbeddable: Bool) -> String {
        "publickey-credentials-get=(self), publickey-credentials-create="
            + (isEmbeddable ? "()" : "(self)")
    }

    /// Returns the values for the frame of every page.
    private func chrome(here: String) -> [String: Any] {
        var values: [String: Any] = [
            "lang": language.code, "t": language.texts, "prefix": prefix, "site": site,
            "formToken": formToken, "assets": assets, "languages": languages(here: here),
            "query": carried,
        ]
        values["siteLogo"] = tenant.project.theme.logo
        values["continue"] = continuation
        values["framed"] = isFramed
        values["next"] = next?.rawValue
        values["requiresKey"] = requiresKey
        if let css = ThemeStylesheet.css(for: tenant.project.theme) {
            let version = WebResources.version(of: Array(css.utf8))
            values["themeHref"] = "\(prefix)/assets/theme.css?v=\(version)"
        }
        if let person = signedIn?.person {
            values["visitor"] = [
                "name": person.claims.name ?? person.username, "initial": Self.initial(of: person),
            ]
        }
        return values
    }

    static func initial(of person: Person) -> String {
        initial(of: person.claims.name ?? person.username)
    }

    static func initial(of name: String) -> String { String(name.prefix(1)) }

    private var assets: [String: String] {
        let names = [
            "css": "gatehouse.css", "icon": "icon.svg", "passkeys": "passkeys.js",
            "formPost": "form-post.js",
        ]
        return names.mapValues { name in
            "\(prefix)/assets/\(name)?v=\(pages.web.assets[name]?.version ?? "")"
        }
    }

    private func languages(here: String) -> [[String: Any]] {
        pages.web.translations.links(from: language) {
            "\(prefix)\(here)?\(parameters(with: $0.code))"
        }
    }

    private func parameters(with code: String) -> String {
        let kept = query.values.filter { !["lang", "done", "continue"].contains($0.key) }
            .sorted { $0.key < $1.key }
            .map { "\(FormText.encode($0.key))=\(FormText.encode($0.value))" }
        let carriedOver = continuation.map { ["continue=\(FormText.encode($0))"] } ?? []
        let framed = isFramed && query["framed"] == nil ? ["framed=1"] : []
        return (kept + carriedOver + framed + ["lang=\(code)"])
            .joined(separator: "&")
    }
}
