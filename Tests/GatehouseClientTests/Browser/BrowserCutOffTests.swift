// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Storage
import Synchronization
import Testing

/// A registration in a browser that is interrupted, by the rows of the table in
/// `docs/protocols/browser-registration.md`.
@Suite("A registration in a browser that is interrupted") struct BrowserCutOffTests {
    private let app: BrowserApp

    init() async throws { app = try await BrowserApp() }

    /// Ends the app while its browser is open, and returns the redirect.
    private func endedInBrowser(_ username: String = "anna") async throws -> URL {
        let client = try app.start()
        let flow = client.register()
        let browser = EndingBrowser(
            inner: try await ScriptedBrowser(username, at: app.provider), app: app)
        _ = try? await {
            for try await case .browser(let challenge) in flow {
                try await challenge.present(with: browser)
            }
        }()
        _ = try? await flow.outcome
        app.store.end(after: nil)
        app.keys.end(false)
        return try #require(browser.redirect.withLock { $0 })
    }

    @Test("The redirect arrives in another process: the registration goes on, with the same key")
    func redirectAfterEnd() async throws {
        let redirect = try await endedInBrowser()
        let client = try app.start()
        try await client.start()
        let keys = try await app.keys.keyNames()
        #expect(keys.count == 1)
        #expect(try await client.pendingRegistrations.isEmpty)
        let flow = try #require(try await client.handle(redirect: redirect))
        let outcome = try await app.finish(flow)
        #expect(outcome.profile.username == "anna" && outcome.profile.hasPIN)
        #expect(try await app.keys.keyNames() == keys)
        #expect(try await client.handle(redirect: redirect) == nil)
    }

    @Test("A redirect of no registration, or with another state, is not handled")
    func foreignRedirect() async throws {
        let redirect = try await endedInBrowser()
        let client = try app.start()
        for text in [
            "com.example.app:/callback?code=a&state=b", "com.example.app:/callback",
            "https://evil.example/?" + (redirect.query() ?? ""),
        ] {
            let url = try #require(URL(string: text))
            #expect(try await client.handle(redirect: url) == nil)
        }
        #expect(try await client.handle(redirect: redirect) != nil)
    }

    @Test("After an hour the redirect is not handled, and the next start removes the key")
    func expired() async throws {
        let redirect = try await endedInBrowser()
        app.provider.clock.advance(by: .seconds(3601))
        let client = try app.start()
        #expect(try await client.handle(redirect: redirect) == nil)
        try await client.start()
        #expect(try await app.keys.keyNames().isEmpty)
        #expect(try await app.store.kinds() == ["provider"])
    }

    @Test("A network error after the sign-in: the registration is resumed without a page")
    func offlineAfterBrowser() async throws {
        let client = try app.start()
        app.wire.next("/registration/challenge", .requestLost)
        await #expect(throws: IdentityError.made(.registration, .notReachable)) {
            try await app.finish(client.register())
        }
        let pending = try #require(try await client.pendingRegistrations.first)
        #expect(pending.method == .oidc)
        let pages = DisplayedPages()
        let outcome = try await app.finish(app.start().resume(pending), pages: pages)
        #expect(pages.pageCount == 0 && outcome.profile.hasPIN)
        #expect(try await client.pendingRegistrations.isEmpty)
    }

    @Test("Resumed too late, the page is displayed again, for the same registration")
    func evidenceExpired() async throws {
        let client = try app.start()
        app.wire.next("/registration/challenge", .requestLost)
        _ = try? await app.finish(client.register())
        let pending = try #require(try await client.pendingRegistrations.first)
        app.provider.clock.advance(by: .seconds(601))
        let pages = DisplayedPages()
        let outcome = try await app.finish(client.resume(pending), pages: pages)
        #expect(pages.pageCount == 1 && outcome.profile.hasPIN)
        #expect(try await app.keys.keyNames().count == 1)
    }

    @Test(
        "A lost response to the registration: the same installation, without evidence",
        arguments: [0, 3600] as [Int64])
    func lostResponse(_ seconds: Int64) async throws {
        let client = try app.start()
        app.wire.next("/registration", .answerLost)
        _ = try? await app.finish(client.register())
        let pending = try #require(try await client.pendingRegistrations.first)
        app.provider.clock.advance(by: .seconds(seconds))
        let pages = DisplayedPages()
        let outcome = try await app.finish(client.resume(pending), pages: pages)
        #expect(pages.pageCount == 0 && outcome.profile.hasPIN)
        #expect(try await app.installations(of: outcome.profile.userID).count == 1)
        try await client.signOut(outcome.profile.id)
        _ = try await app.signIn(client, outcome.profile.id)
    }

    @Test("A lost registration request: the page again, and one installation")
    func lostRequest() async throws {
        let client = try app.start()
        app.wire.next("/registration", .requestLost)
        _ = try? await app.finish(client.register())
        let pending = try #require(try await client.pendingRegistrations.first)
        app.provider.clock.advance(by: .seconds(601))
        let pages = DisplayedPages()
        let outcome = try await app.finish(client.resume(pending), pages: pages)
        #expect(pages.pageCount == 1)
        #expect(try await app.installations(of: outcome.profile.userID).count == 1)
        #expect(try await client.pendingRegistrations.isEmpty)
    }

    @Test("Repeated after it succeeded, it is the same profile, without a page")
    func doneBefore() async throws {
        let (client, id) = (try app.start(usesPIN: false), UUID())
        let first = try await app.finish(client.register(idempotencyKey: id))
        let pages = DisplayedPages()
        let again = try await app.finish(client.register(idempotencyKey: id), pages: pages)
        #expect(again.profile.id == first.profile.id && !again.isNewProfile)
        #expect(pages.pageCount == 0)
        #expect(try await app.installations(of: first.profile.userID).count == 1)
    }

    @Test("A registration that is not pending is not resumed")
    func notPending() async throws {
        let client = try app.start()
        app.wire.next("/registration/challenge", .requestLost)
        _ = try? await app.finish(client.register())
        let pending = try #require(try await client.pendingRegistrations.first)
        try await client.eraseLocalState()
        await #expect(throws: IdentityError.made(.registration, .expired)) {
            try await app.finish(client.resume(pending))
        }
    }

    @Test("A removal of the earlier installation that fails is tried again at the next sign-in")
    func removalFails() async throws {
        let client = try app.start()
        let first = try await app.finish(client.register()).profile
        let earlier = try #require(first.installationID)
        app.wire.next("/registration/installations/\(earlier)", .requestLost)
        let second = try await app.finish(client.register()).profile
        #expect(try await app.installations(of: first.userID).count == 2)
        try await client.signOut(second.id)
        _ = try await app.signIn(client, second.id)
        let installation = try #require(second.installationID)
        #expect(try await app.installations(of: first.userID) == [installation])
    }

    @Test("Interrupted at each change of the store, it ends with one profile", arguments: 0..<24)
    func everyChange(_ changes: Int) async throws {
        app.store.end(after: changes)
        app.keys.end(true)
        _ = try? await app.finish(try app.start().register())
        app.store.end(after: nil)
        app.keys.end(false)
        let client = try app.start()
        try await client.start()
        let profile: Profile
        if let pending = try await client.pendingRegistrations.first {
            profile = try await app.finish(client.resume(pending)).profile
        } else if let known = try await client.profiles.first {
            profile = known
        } else {
            profile = try await app.finish(client.register()).profile
        }
        #expect(try await client.profiles.map(\.id) == [profile.id])
        #expect(try await client.pendingRegistrations.isEmpty)
        try await client.signOut(profile.id)
        #expect(try await app.signIn(client, profile.id).profile.id == profile.id)
        let installations = try await app.installations(of: profile.userID)
        let installation = try #require(profile.installationID)
        #expect(installations.contains(installation))
    }
}

/// A browser whose app ends before it receives the redirect.
private final class EndingBrowser: BrowserPresenter {
    private struct Ended: Error {}

    private let inner: ScriptedBrowser
    private let app: BrowserApp
    let redirect = Mutex<URL?>(nil)

    init(inner: ScriptedBrowser, app: BrowserApp) {
        self.inner = inner
        self.app = app
    }

    func answer(to request: BrowserRequest) async throws -> BrowserResponse {
        let response = try await inner.answer(to: request)
        var url = URLComponents(string: response.redirectURI)
        url?.queryItems = response.parameters.map { URLQueryItem(name: $0.key, value: $0.value) }
        redirect.withLock { [url] in $0 = url?.url }
        app.store.end(after: 0)
        app.keys.end(true)
        throw Ended()
    }
}
