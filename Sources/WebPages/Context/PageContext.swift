// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
package import Primitives
package import ProviderCore
import ProviderTokens
import ProviderUpstream
import Storage

/// One request for a page: who asks, in which language, and what every page needs to know.
package struct PageContext: Sendable {
    package let request: ServerRequest
    package let query: FormParameters
    package let pages: Pages
    package let language: Language
    package let signedIn: AuthenticatedSession?
    let formToken: String
    /// The opaque name of an authorization that waits for this person.
    private(set) var continuation: String?
    let next: PostSignInPage?
    /// Whether ``next`` requires a passkey or security key. The link to the sign-in page says so,
    /// for its text only.
    let requiresKey: Bool
    package let cookies: SiteCookies
    /// Whether the page is displayed in a frame of another site that is allowed to embed it. The
    /// browser states this when it loads the frame; links and forms carry it from there.
    let isFramed: Bool
    /// The secret of this browser, Base64url of 16 bytes.
    private let formCookie: String
    private let isNewBrowser: Bool
    private let chosenLanguage: String?

    /// - Parameter framed: The mark of a script's page, instead of that of a form.
    init(
        _ request: ServerRequest, query: FormParameters, pages: Pages, form: FormParameters? = nil,
        framed: String? = nil, resuming attempt: UpstreamTransaction? = nil
    ) async throws {
        self.request = request
        self.query = query
        self.pages = pages
        cookies = SiteCookies(tenant: request.tenant, isSecure: request.isSecure)
        let sessionCookie = request.cookie(cookies.session)
        signedIn = try await SessionService(provider: pages.provider).current(
            cookie: sessionCookie, tenant: request.tenant, facts: request.facts)
        let known = request.cookie(cookies.form).flatMap { Base64URL.decode($0) }
        isNewBrowser = known?.count != 16
        formCookie = Base64URL.encode(
            isNewBrowser ? pages.provider.random.bytes(16) : known ?? [])
        formToken = CSRFProtection.token(
            formCookie: formCookie, sessionCookie: signedIn == nil ? nil : sessionCookie,
            tenant: request.tenant, secrets: pages.provider.secrets)
        let handle = attempt?.continuation ?? form?["continue"] ?? query["continue"]
        continuation = handle.flatMap { Interaction.isHandle($0) ? $0 : nil }
        isFramed = Self.isFramed(
            request, isMarked: (framed ?? form?["framed"] ?? query["framed"]) == "1")
        next = (attempt?.next ?? form?["next"] ?? query["next"]).flatMap(PostSignInPage.init)
        requiresKey = next != nil && (form?["key"] ?? query["key"]) == "1"
        (language, chosenLanguage) = Self.language(request, query, pages)
    }

    /// Returns this context with the new handle of the pending request.
    func continuing(_ handle: String?) -> PageContext {
        guard let handle else { return self }
        var visit = self
        visit.continuation = handle
        return visit
    }

    /// - Parameter isMarked: Whether the request comes from a framed page of the provider. A mark
    ///   in a link is not sufficient: the browser must state that it loads a frame or runs a
    ///   script.
    private static func isFramed(_ request: ServerRequest, isMarked: Bool) -> Bool {
        guard request.isSecure, !request.tenant.project.policy.webauthn.topOrigins.isEmpty
        else { return false }
        return switch request.headers[.secFetchDest] {
        case "iframe": isMarked || request.headers[.secFetchSite] == "cross-site"
        case "empty": isMarked
        default: false
        }
    }

    /// What the reader clicked, else as every answer chooses.
    private static func language(
        _ request: ServerRequest, _ query: FormParameters, _ pages: Pages
    ) -> (Language, chosen: String?) {
        let translations = pages.web.translations
        if let code = query["lang"], let language = translations.languages[code] {
            return (language, code)
        }
        return (request.language(among: translations, asked: query["ui_locales"]), nil)
    }

    /// What only this browser knows, as long as it is open.
    var browserSecret: [UInt8] { Array(formCookie.utf8) }

    package var tenant: Tenant { request.tenant }
    package var prefix: String { tenant.pathPrefix }
    package var now: Timestamp { request.facts.now }

    var context: CeremonyContext {
        var facts = request.facts
        facts.languages = [language.code] + facts.languages
        facts.knownBrowser = knownBrowser
        return CeremonyContext(
            provider: pages.provider, tenant: tenant, facts: facts, limits: pages.limits,
            writer: LocalizedNotificationComposer(pages.web.translations))
    }

    var site: String { tenant.project.theme.displayName ?? "Gatehouse" }

    package func text(_ key: String, _ values: [String: String] = [:]) -> String {
        language.text(key, values)
    }

    /// Adds the cookies that this browser lacks.
    func addingCookies(_ response: ServerResponse) -> ServerResponse {
        var response = response
        if isNewBrowser {
            response.setCookie(
                cookies.form, formCookie, isSecure: request.isSecure, isPartitioned: isFramed)
        }
        if let chosenLanguage {
            SiteCookies.setLanguage(
                chosenLanguage, in: &response, for: request, isPartitioned: isFramed)
        }
        return response
    }

    private var knownBrowser: KnownBrowser? {
        KnownBrowser.read(
            request.cookie(cookies.known), of: tenant.project.id, secrets: pages.provider.secrets,
            now: request.facts.now)
    }

    /// Redirects the browser with a new session.
    ///
    /// - Parameter person: The person to add to the known people of this browser.
    func welcome(
        _ cookie: String, _ person: Person? = nil, to location: String
    ) -> ServerResponse {
        var response = ServerResponse.redirect(to: location)
        setSession(cookie, in: &response)
        if let person { remember(person, in: &response) }
        return response
    }

    /// Sets the cookie that exempts this browser from attempt limits that other senders exhaust.
    func remember(_ person: Person, in response: inout ServerResponse) {
        let made = try? KnownBrowser.cookie(
            adding: person.id, to: knownBrowser, in: tenant, of: pages.provider,
            now: request.facts.now)
        guard let cookie = made ?? nil else { return }
        response.setCookie(
            cookies.known, cookie, isSecure: request.isSecure,
            maxAge: KnownBrowser.lifetimeSeconds, isPartitioned: isFramed)
    }

    func setSession(_ cookie: String, in response: inout ServerResponse) {
        response.setCookie(
            cookies.session, cookie, isSecure: request.isSecure, isPartitioned: isFramed)
    }

    /// Origins of pages that may hold our sign-in page in a frame.
    var topOrigins: [String] { tenant.project.policy.webauthn.topOrigins }

    func clearSession(in response: inout ServerResponse) {
        response.setCookie(cookies.session, "", isSecure: request.isSecure, maxAge: 0)
    }

    package func redirect(_ path: String) -> ServerResponse { .redirect(to: prefix + path) }

    /// `?continue=…&next=…`, for links between pages; empty when there is nothing to carry.
    var carried: String {
        var parts: [String] = []
        if let continuation { parts.append("continue=\(FormText.encode(continuation))") }
        if let next { parts.append("next=\(next.rawValue)") }
        if requiresKey { parts.append("key=1") }
        if isFramed { parts.append("framed=1") }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    /// The URL to which a sign-in leads.
    var destination: String {
        if let continuation {
            return "\(prefix)/continue?continue=\(FormText.encode(continuation))"
        }
        return prefix + (next ?? .account).path
    }
}

extension ServerRequest {
    /// What the app asked for (`ui_locales`, BCP 47 tags with spaces between them), else what the
    /// reader chose before, else what the browser says.
    package func language(among translations: Translations, asked: String?) -> Language {
        let cookies = SiteCookies(tenant: tenant, isSecure: isSecure)
        let wanted = (asked ?? "").split(separator: " ").map(String.init)
        let kept = cookie(cookies.language).map { [$0] } ?? []
        return translations.choose(wanted + kept + facts.languages)
    }
}

/// The pages to which a sign-in can lead. A request cannot name another URL.
package enum PostSignInPage: String, Sendable, CaseIterable {
    case account, device, audit, console
    /// Sends the form that the sign-in interrupted.
    case resume
    case passkey = "passkey"

    var path: String {
        switch self {
        case .account: "/account"
        case .device: "/device"
        case .audit: "/admin/audit"
        case .console: "/console"
        case .resume: "/resume"
        case .passkey: "/account/passkey"
        }
    }
}
