// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Mail
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderPeople
import ProviderSupport
import Storage
import Support
import Testing
import WebAuthn

@testable import AdminConsole
@testable import AdminEndpoints
@testable import HTTPServer
@testable import ProtocolEndpoints
@testable import WebPages

/// A provider with pages and without people.
struct PagesHouse {
    let provider: Provider
    let dispatcher: Dispatcher
    let clock: ManualClock
    let random: SeededRandom
    let project: Project
    let web: WebResources
    let console: ConsolePages

    static let issuer = TestProvider.issuer

    /// - Parameter isWhole: whether apps and machines are served too, so that flows go all the way.
    init(
        issuer: String = PagesHouse.issuer, isWhole: Bool = false, theme: Theme = Theme(),
        policy: ProjectPolicy = ProjectPolicy(),
        mail: (any MailTransport)? = nil, limits: AttemptLimits = AttemptLimits(),
        flow: (any AuthorizationFlow)? = nil, devices: (any DeviceFlow)? = nil,
        metadata: MetadataRefresh? = nil, clock: ManualClock = ManualClock(),
        http: any OutgoingHTTP = NoOutgoingHTTP(), store: (any ProviderStore)? = nil
    ) async throws {
        self.clock = clock
        random = SeededRandom(seed: 7)
        provider = try await TestProvider.empty(
            issuer: issuer, store: store, clock: clock, random: random, mail: mail,
            metadata: metadata, http: http)
        project = Project(
            id: Identifier(now: clock.now, random: random), name: "default",
            environment: .development, theme: theme, policy: policy, createdAt: clock.now)
        _ = try await provider.store.projects.save(project)
        web = try WebResources()
        let flows = isWhole ? EndpointFlows(provider, translations: web.translations) : nil
        let pages = Pages(
            provider: provider, web: web, flow: flow ?? flows, devices: devices ?? flows,
            signOuts: flows, limits: limits)
        let errors = ErrorPages(pages: pages)
        let admin = AdminAPI(
            provider, token: try await AdminToken(Secret("gha_test"), provider) { _ in },
            notices: LocalizedNotificationComposer(web.translations))
        console = ConsolePages(pages, admin)
        var groups: [any HTTPRouteGroup] = pages.groups + [console, admin]
        if isWhole {
            groups += [
                OAuthRoutes(
                    provider: provider, translations: web.translations, errorPage: errors.page),
                PlatformSSORoutes(
                    provider, limits: limits,
                    notices: LocalizedNotificationComposer(web.translations)),
                SetupAssistantRoutes(
                    provider, notices: LocalizedNotificationComposer(web.translations)),
                HealthRoutes(
                    readiness: Readiness(), metrics: Metrics(), version: "1", build: "test"),
            ]
        } else {
            groups.append(
                UpstreamLogoutRoutes(
                    provider: provider, notices: LocalizedNotificationComposer(web.translations)))
        }
        dispatcher = Dispatcher(provider: provider, groups: groups) {
            errors.page($0, $1, $2)
        }
    }

    var tenant: Tenant { Tenant(project: project, issuer: provider.issuer) }

    func browser(_ address: String = "192.0.2.1", language: String = "en") -> Browser {
        Browser(house: self, address: address, language: language)
    }

    /// A browser that has just registered with a password.
    func registered(
        _ username: String = "anna", name: String = "Anna Johnson"
    ) async throws
        -> Browser
    {
        var browser = browser()
        _ = try await browser.get("/register")
        let answer = try await browser.submit(
            "/register",
            [
                "username": username, "name": name, "email": "",
                "password": "correct horse battery staple",
            ])
        #expect(answer.status == .seeOther)
        return browser
    }

    /// A new set-up link.
    func setUpLink() async throws -> String {
        try await SetUpLink(provider, project: project.id, now: clock.now).issue(for: tenant)
    }

    /// The path and the token of a new set-up link.
    func setUp() async throws -> (path: String, token: String) {
        let path = try await setUpLink().replacing(Self.issuer, with: "")
        return (path, try #require(path.split(separator: "=").last.map(String.init)))
    }

    func person(_ username: String) async throws -> Person {
        try #require(try await provider.store.people.person(username: username, in: project.id))
    }
}

/// A browser as far as pages need one: cookies, the last page's form token, no script.
struct Browser {
    let house: PagesHouse
    var address: String
    var language: String
    var cookies: [String: String] = [:]
    var formToken = ""
    var userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    /// Sent with every form, as browsers do.
    var fetchSite: String? = "same-origin"
    var fetchDestination: String?
    var isSecure = false

    /// A page for a browser that is of no use later.
    func opened(_ path: String) async throws -> Answer {
        var browser = self
        return try await browser.get(path)
    }

    mutating func get(_ path: String) async throws -> Answer {
        try await send(.get, path, headers: [.accept: "text/html"], body: [])
    }

    /// Sends a form with the token of the page seen last.
    mutating func submit(
        _ path: String, _ fields: [String: String], authority: String = "localhost"
    ) async throws -> Answer {
        var all = fields
        if all["form_token"] == nil { all["form_token"] = formToken }
        let body = all.map { "\(FormText.encode($0.key))=\(FormText.encode($0.value))" }
            .joined(separator: "&")
        var headers: HTTPFields = [.contentType: FormParameters.mediaType, .accept: "text/html"]
        if let fetchSite { headers[.secFetchSite] = fetchSite }
        headers[.secFetchDest] = fetchDestination
        return try await send(
            .post, path, headers: headers, body: Array(body.utf8), authority: authority)
    }

    mutating func post(json: String, to path: String) async throws -> Answer {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let fetchSite { headers[.secFetchSite] = fetchSite }
        return try await send(.post, path, headers: headers, body: Array(json.utf8))
    }

    /// - Parameter isCollected: Whether a streamed body is read whole.
    mutating func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields, body: [UInt8],
        authority: String = "localhost", isCollected: Bool = true
    ) async throws -> Answer {
        var request = HTTPRequest(
            method: method, scheme: "http", authority: authority, path: path)
        request.headerFields = headers
        request.headerFields[.cookie] = cookies.map { "\($0)=\($1)" }.joined(separator: "; ")
        let facts = RequestMetadata(
            now: house.clock.now, requestID: "req-1", address: address, userAgent: userAgent,
            languages: [language])
        var answer: ServerResponse
        switch try await house.dispatcher.destination(
            for: request, facts: facts, isSecure: isSecure)
        {
        case .answer(let response): answer = response
        case .route(let route, var seen):
            seen.body = body
            answer = await house.dispatcher.respond(to: seen, by: route)
        }
        if isCollected, let stream = answer.stream { answer.body = try await stream.collected() }
        remember(answer)
        return Answer(response: answer)
    }

    private mutating func remember(_ response: ServerResponse) {
        for cookie in response.headers[values: .setCookie] {
            let pair = cookie.prefix { $0 != ";" }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, value) = (String(pair[0]), String(pair[1]))
            cookies[name] = value.isEmpty ? nil : value
        }
        let html = String(decoding: response.body, as: UTF8.self)
        let mark = "name=\"form_token\" value=\""
        if let range = html.firstRange(of: mark) {
            formToken = String(html[range.upperBound...].prefix { $0 != "\"" })
        }
    }
}

struct Answer {
    let response: ServerResponse

    var status: HTTPResponse.Status { response.status }
    var text: String { String(decoding: response.body, as: UTF8.self) }
    var location: String? { response.headers[.location] }
}
