// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Storage
import Support
import Testing

/// A provider with pages, and Acme, whose people may sign in.
struct UpstreamHouse {
    let pages: PagesHouse
    let acme: UpstreamStub

    var provider: Provider { pages.provider }
    var store: any ProviderStore { pages.provider.store }

    /// - Parameter isWhole: Whether apps are served too.
    init(_ entry: [String: JSONValue] = [:], isWhole: Bool = false) async throws {
        let clock = ManualClock()
        acme = try UpstreamStub(clock: clock)
        pages = try await PagesHouse(isWhole: isWhole, clock: clock, http: acme)
        try await put(entry)
    }

    /// Applies Acme's entry with these members, as an administrator would.
    func put(
        _ entry: [String: JSONValue] = [:], identifier: String = "acme",
        rights: AdministratorRights? = nil
    ) async throws {
        var object = JSONObject()
        object["kind"] = "oidc"
        object["issuer"] = .string(UpstreamStub.issuer)
        object["client_id"] = "gatehouse"
        object["client_secret"] = .string(UpstreamStub.secret)
        object["scopes"] = ["profile", "email"]
        object["button_text"] = "Acme"
        object["create_people"] = true
        for (name, value) in entry { object[name] = value == .null ? nil : value }
        let wanted = try StateParser.upstreamProvider(.object(object), identifier: identifier)
        let facts = RequestMetadata(now: pages.clock.now, requestID: "r", address: "192.0.2.1")
        _ = try await StateReconciler(provider, rights: rights).apply(
            DesiredState(projects: [
                DesiredProject(name: "default", upstreamProviders: [wanted])
            ]), facts: facts
        ).get()
    }

    /// There and back again.
    func signIn(
        _ browser: inout Browser, with identifier: String = "acme", query: String = ""
    ) async throws -> Answer {
        let location = try await leave(&browser, to: identifier, query: query)
        return try await browser.get(Self.path(try acme.authorize(location)))
    }

    func leave(
        _ browser: inout Browser, to identifier: String = "acme", query: String = ""
    ) async throws -> String {
        let left = try await browser.get("/sign-in/with/\(identifier)\(query)")
        #expect(left.status == .seeOther)
        return try #require(left.location)
    }

    /// Returns the path of a URL of the provider.
    static func path(_ address: String) -> String {
        String(address.dropFirst(PagesHouse.issuer.utf8.count))
    }

    /// Who the browser's cookie speaks for.
    func signedIn(_ browser: Browser) async throws -> AuthenticatedSession? {
        try await SessionService(provider: provider).current(
            cookie: browser.cookies["gatehouse-session"], tenant: pages.tenant,
            facts: RequestMetadata(now: pages.clock.now, requestID: "r", address: "192.0.2.1"))
    }

    func events(_ action: String) async throws -> [AuditEvent] {
        await provider.audit.flush()
        var filter = AuditFilter()
        filter.action = action
        return try await store.auditLog.auditEvents(filter, before: nil, limit: 100)
    }

    /// Posts the form of the account page that connects Acme, and follows to Acme's address.
    func beginLink(_ browser: inout Browser) async throws -> Answer {
        _ = try await browser.get("/account")
        return try await browser.submit("/account/providers/acme/link", [:])
    }

    /// The address on the page between.
    static func address(in page: Answer) throws -> String {
        let mark = "content=\"0;url="
        let range = try #require(page.text.firstRange(of: mark))
        let text = String(page.text[range.upperBound...].prefix { $0 != "\"" })
        return text.replacing("&amp;", with: "&").replacing("&#x3D;", with: "=")
            .replacing("&#61;", with: "=")
    }
}
