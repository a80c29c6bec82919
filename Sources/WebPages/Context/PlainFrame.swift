// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import ProviderCore
import Storage

/// The frame of a page without a session. It reads no session, so that it works if the store fails.
struct PlainFrame {
    private let request: ServerRequest
    private let pages: Pages
    let language: Language
    /// The code of the language if the reader has just chosen it.
    private let chosen: String?

    init(_ request: ServerRequest, pages: Pages) {
        self.request = request
        self.pages = pages
        let translations = pages.web.translations
        let asked = Self.parameters(of: request).first { $0.hasPrefix(Self.mark) }
            .flatMap { translations.languages[String($0.dropFirst(Self.mark.count))] }
        chosen = asked?.code
        language =
            asked
            ?? request.language(
                among: translations, asked: (try? request.queryForm())?["ui_locales"])
    }

    func message(
        heading: String, lead: String, todo: String?, status: HTTPResponse.Status
    ) -> ServerResponse {
        var values = chrome
        values["title"] = heading
        values["heading"] = heading
        values["lead"] = lead
        values["todo"] = todo
        let html = pages.renderer.render("message", values) ?? ""
        var response = ServerResponse.html(html, status: status)
        response.headers[.contentSecurityPolicy] = PageContext.policy(
            formOrigin: nil, ancestors: [])
        if let chosen { SiteCookies.setLanguage(chosen, in: &response, for: request) }
        return response
    }

    private var chrome: [String: Any] {
        let prefix = request.tenant.pathPrefix
        let css = pages.web.assets["gatehouse.css"]?.version ?? ""
        var values: [String: Any] = [
            "lang": language.code, "t": language.texts, "prefix": prefix,
            "site": request.tenant.project.theme.displayName ?? "Gatehouse",
            "assets": [
                "css": "\(prefix)/assets/gatehouse.css?v=\(css)",
                "icon": "\(prefix)/assets/icon.svg",
            ],
            "requestID": request.facts.requestID,
            "languages": pages.web.translations.links(from: language) { address(in: $0) },
            "links": [["href": prefix + "/", "text": language.text("toHome"), "quiet": true]],
        ]
        values["siteLogo"] = request.tenant.project.theme.logo
        return values
    }

    // MARK: Languages

    private static let mark = "lang="

    /// The parameters as they were sent: the query may be the reason for the page.
    private static func parameters(of request: ServerRequest) -> [Substring] {
        (request.query ?? "").split(separator: "&")
    }

    /// The same URL in another language, or the home page if a link cannot repeat the request. A
    /// path that starts with two slashes would be the URL of another host.
    private func address(in language: Language) -> String {
        let place = request.tenant.pathPrefix + request.path
        let isOfThisHost =
            place.hasPrefix("/") && !place.hasPrefix("//") && !place.hasPrefix("/\\")
        guard request.method == .get || request.method == .head, isOfThisHost else {
            return "\(request.tenant.pathPrefix)/?\(Self.mark)\(language.code)"
        }
        let sent = Self.parameters(of: request).filter { !$0.hasPrefix(Self.mark) }.map(String.init)
        return place + "?" + (sent + [Self.mark + language.code]).joined(separator: "&")
    }
}
