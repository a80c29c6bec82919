// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Storage
import Testing

/// A person signs in on a page of the provider, and the installation is registered for them.
@Suite("Registration in a browser, with a PIN") struct BrowserPINTests {
    private let app: BrowserApp
    private let client: IdentityClient

    init() async throws {
        app = try await BrowserApp()
        client = try app.start()
    }

    // MARK: Identity providers and options

    @Test("Without an identity provider, the sign-in page of the project opens")
    func defaultProvider() async throws {
        let pages = DisplayedPages()
        let outcome = try await app.finish(client.register(), pages: pages)
        let page = try pages.parameters
        #expect(page["identity_provider"] == nil && page["max_age"] == "300")
        #expect(page["dpop_jkt"]?.count == 43)
        #expect(outcome.identityProvider == nil && outcome.profile.username == "anna")
    }

    @Test("With an upstream provider, the page redirects to it")
    func namedProvider() async throws {
        try await app.addUpstream("acme")
        let acme = try #require(try await client.identityProviders.first { $0.id == "acme" })
        let pages = DisplayedPages()
        let outcome = try await app.finish(client.register(with: acme), pages: pages)
        #expect(try pages.parameters["identity_provider"] == "acme")
        #expect(outcome.identityProvider == acme)
        let byName = try await app.finish(client.register(with: "acme"), pages: pages)
        #expect(try pages.parameters["identity_provider"] == "acme")
        #expect(byName.identityProvider == acme && !byName.isNewProfile)
    }

    @Test("An unknown identity provider is an error before or on the page")
    func unknownProvider() async throws {
        await #expect(throws: IdentityError.made(.registration, .identityProviderInvalid)) {
            try await app.finish(client.register(with: "nobody"))
        }
        let error = await #expect(throws: IdentityError.self) {
            try await app.finish(client.register(options: .init(identityProvider: "nobody")))
        }
        #expect(error?.serverCode == "invalid_request")
        #expect(try await app.keys.keyNames().isEmpty)
    }

    @Test("Scopes and options are requested; the page gets no offline_access")
    func scopes() async throws {
        let pages = DisplayedPages()
        let options = SignInOptions(
            scopes: ["openid", "entitlements"], prompt: "login", loginHint: "anna",
            acrValues: ["phr", "phrh"], maxAge: 60, uiLocales: ["de", "en"])
        // The scripted browser does not sign in again.
        _ = try? await app.finish(client.register(options: options), pages: pages)
        let page = try pages.parameters
        #expect(page["scope"] == "openid registration entitlements")
        #expect(page["prompt"] == "login" && page["login_hint"] == "anna")
        #expect(page["acr_values"] == "phr phrh" && page["max_age"] == "60")
        #expect(page["ui_locales"] == "de en")
        let outcome = try await app.finish(
            client.register(options: .init(scopes: ["openid", "entitlements"])), pages: pages)
        #expect(
            Set(try await outcome.session.accessToken().scopes) == ["openid", "entitlements"])
        let usual = try await app.finish(client.register(), pages: pages)
        #expect(try pages.parameters["scope"] == "openid registration profile")
        #expect(try await usual.session.accessToken().scopes.contains("offline_access"))
    }

    @Test("The list has browser, upstream and custom providers, with name and icon")
    func kinds() async throws {
        try await app.addUpstream("acme")
        try await app.provider.addIdentityProvider("badge", twoStep: true) { _ in nil }
        let listed = try await client.identityProviders
        #expect(listed.map(\.kind) == [.browser, .upstream, .custom])
        #expect(listed.map(\.id) == ["browser", "acme", "badge"])
        #expect(listed.map(\.method) == [.oidc, .oidc, .customTwoStep])
        #expect(listed[1].name == "Acme Works")
        #expect(listed[1].icon == URL(string: "https://acme.example/icon.png"))
        #expect(listed[2].icon == nil)
    }

    @Test("A project that does not offer it is named before a page opens")
    func notOffered() async throws {
        try await app.provider.change { $0.policy.registration.methods = ["testKey"] }
        let pages = DisplayedPages()
        await #expect(throws: IdentityError.made(.registration, .methodNotSupported)) {
            try await app.finish(client.register(), pages: pages)
        }
        #expect(pages.pageCount == 0)
        #expect(try await app.keys.keyNames().isEmpty)
    }

    @Test("A client without the scope registration is named before a page opens")
    func scopeMissing() async throws {
        var configuration = app.provider.configuration
        configuration.scopes = ["openid"]
        let client = try IdentityClient(
            configuration: configuration, store: app.store, keys: app.keys, transport: app.wire,
            time: app.provider.clock)
        let pages = DisplayedPages()
        await #expect(throws: IdentityError.made(.registration, .configurationInvalid)) {
            try await app.finish(client.register(), pages: pages)
        }
        #expect(pages.pageCount == 0)
    }

    // MARK: The PIN

    @Test("After the browser the person chooses a PIN, and signs in with it afterwards")
    func pinAfterBrowser() async throws {
        let pages = DisplayedPages()
        let outcome = try await app.finish(client.register(), pages: pages)
        #expect(pages.pageCount == 1 && pages.pinCount == 1)
        #expect(outcome.profile.hasPIN && !outcome.profile.hasSignInKey)
        let methods = outcome.session.idToken?.claim("amr", as: [String].self)
        #expect(methods == ["swk", "pin", "mfa"])
        try await client.signOut(outcome.profile.id)
        let again = try app.start()
        let session = try await app.signIn(again, outcome.profile.id)
        #expect(try await session.accessToken().isBoundToKey)
        app.provider.clock.advance(by: .seconds(3700))
        #expect(try await session.accessToken().scopes.contains("registration"))
    }

    @Test("With a required PIN there are no tokens to stay signed in before it exists")
    func required() async throws {
        try await app.provider.change { $0.policy.registration.pin.use = "required" }
        let client = try app.start(usesPIN: false)
        let pages = DisplayedPages()
        let outcome = try await app.finish(client.register(), pages: pages)
        #expect(pages.pinCount == 1 && outcome.profile.hasPIN)
        #expect(try await outcome.session.accessToken().scopes.contains("offline_access"))
        // A page gets none, whatever the app requests.
        let other = try app.start()
        let session = try await other.signIn(
            with: try await ScriptedBrowser("bob", at: app.provider))
        #expect(try await !session.accessToken().scopes.contains("offline_access"))
    }

    @Test("If PINs are optional and the app does not use them, the key signs in alone")
    func withoutPIN() async throws {
        let client = try app.start(usesPIN: false)
        let pages = DisplayedPages()
        let outcome = try await app.finish(client.register(), pages: pages)
        #expect(pages.pinCount == 0 && outcome.profile.hasSignInKey)
        try await client.signOut(outcome.profile.id)
        #expect(try await client.signIn(.deviceKey).profile.id == outcome.profile.id)
    }

    @Test("A person who cancels the PIN is not registered, here or at the provider")
    func cancelsPIN() async throws {
        let (client, provider) = (client, app.provider)
        await #expect(throws: IdentityError.made(.generic, .cancelled)) {
            try await app.finish(client.register(), pin: nil)
        }
        #expect(try await client.profiles.isEmpty)
        #expect(try await client.pendingRegistrations.isEmpty)
        #expect(try await app.keys.keyNames().isEmpty)
        #expect(try await app.store.kinds() == ["provider"])
        let session = try await client.signIn(with: try await ScriptedBrowser("anna", at: provider))
        #expect(try await app.installations(of: session.profile.userID).isEmpty)
    }

    @Test("A person who closes the browser leaves nothing")
    func closesBrowser() async throws {
        let flow = client.register()
        await #expect(throws: IdentityError.made(.generic, .cancelled)) {
            for try await case .browser(let challenge) in flow { challenge.cancel() }
        }
        #expect(try await app.keys.keyNames().isEmpty)
        #expect(try await app.store.kinds() == ["provider"])
    }

    // MARK: The result

    @Test("The outcome has profile, session, provider and installation")
    func outcome() async throws {
        let page = try #require(try await client.identityProviders.first { $0.kind == .browser })
        let outcome = try await app.finish(client.register(with: page))
        #expect(outcome.isNewProfile && outcome.identityProvider == page)
        #expect(outcome.profile.username == "anna" && outcome.providerAnswer == nil)
        let installation = try #require(outcome.profile.installationID)
        #expect(try await app.installations(of: outcome.profile.userID) == [installation])
        #expect(try await client.session().profile == outcome.profile)
        // The one key of the registration.
        #expect(try await app.keys.keyNames().count == 1)
    }

    @Test("A profile has a name of its own on this device; another registration keeps it")
    func renames() async throws {
        let profile = try await app.finish(client.register()).profile
        #expect(profile.displayName == "anna")
        let renamed = try await client.rename(profile.id, to: "Anna at work")
        #expect(renamed.displayName == "Anna at work" && renamed.username == "anna")
        #expect(try await app.start().profiles.map(\.displayName) == ["Anna at work"])
        #expect(
            try await app.finish(client.register()).profile.displayName == "Anna at work")
        #expect(try await client.rename(profile.id, to: "").displayName == "anna")
        for name in ["a\u{7}", String(repeating: "a", count: 129)] {
            await #expect(throws: IdentityError.made(.generic, .requestInvalid)) {
                try await client.rename(profile.id, to: name)
            }
        }
    }

    @Test("Two people of one device have a profile, a key and a PIN each")
    func twoPeople() async throws {
        let anna = try await app.finish(client.register()).profile
        let bob = try await app.finish(client.register(), as: "bob", pin: "97135").profile
        #expect(Set(try await client.profiles.map(\.username)) == ["anna", "bob"])
        for profile in [anna, bob] { try await client.signOut(profile.id) }
        #expect(try await app.signIn(client, anna.id).profile == anna)
        #expect(try await app.signIn(client, bob.id, pin: "97135").profile == bob)
        await #expect(throws: IdentityError.self) { try await app.signIn(client, bob.id) }
        #expect(try await app.keys.keyNames().count == 2)
    }

    @Test("The same person again keeps the profile; the earlier installation is removed")
    func sameAgain() async throws {
        let first = try await app.finish(client.register()).profile
        let second = try await app.finish(client.register(), pin: "97135")
        #expect(second.profile.id == first.id && !second.isNewProfile)
        let installation = try #require(second.profile.installationID)
        #expect(installation != first.installationID)
        #expect(try await app.installations(of: first.userID) == [installation])
        #expect(try await client.profiles.count == 1)
        #expect(try await app.keys.keyNames().count == 1)
        try await client.signOut(first.id)
        _ = try await app.signIn(client, first.id, pin: "97135")
    }

    @Test("Removed, the person is gone here and at the provider")
    func removes() async throws {
        let profile = try await app.finish(client.register()).profile
        #expect(try await client.remove(profile.id).isComplete)
        #expect(try await app.installations(of: profile.userID).isEmpty)
        #expect(try await client.profiles.isEmpty)
        #expect(try await app.keys.keyNames().isEmpty)
    }

    @Test("A registered person signs in with a page, and keeps PIN and installation")
    func signsInWithPage() async throws {
        let profile = try await app.finish(client.register()).profile
        try await client.signOut(profile.id)
        let browser = try await ScriptedBrowser("anna", at: app.provider)
        let session = try await client.signIn(with: browser, as: profile.id)
        #expect(session.profile == profile)
        #expect(try await client.profiles == [profile])
        let bob = try await ScriptedBrowser("bob", at: app.provider)
        await #expect(throws: IdentityError.self) {
            try await client.signIn(with: bob, as: profile.id)
        }
        #expect(try await client.profiles == [profile])
    }

    @Test("Signed in with a page, a person is removed with their installation")
    func removesAfterPage() async throws {
        let profile = try await app.finish(client.register()).profile
        try await client.signOut(profile.id)
        try await client.signIn(
            with: try await ScriptedBrowser("anna", at: app.provider), as: profile.id)
        #expect(try await client.remove(profile.id).isComplete)
        #expect(try await app.installations(of: profile.userID).isEmpty)
    }

    @Test("After the browser four requests register, with or without a PIN")
    func requests() async throws {
        for usesPIN in [false, true] {
            let app = try await BrowserApp()
            let client = try app.start(usesPIN: usesPIN)
            try await client.start()
            let before = app.wire.count("")
            _ = try await app.finish(client.register())
            #expect(app.wire.count("") - before == 4)
        }
    }
}
