// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Primitives
import ProviderCore
import Storage
import Synchronization
import Testing

/// An app whose people register in a browser, and its device.
struct BrowserApp {
    let provider: InProcessProvider
    let wire: FaultyTransport
    let store: DyingStore
    let keys: DyingKeyStore

    init() async throws {
        provider = try await InProcessProvider()
        wire = FaultyTransport(provider)
        store = DyingStore()
        keys = DyingKeyStore()
    }

    /// The app as it is after a start.
    func start(usesPIN: Bool = true) throws -> IdentityClient {
        try provider.client(store: store, keys: keys, transport: wire, usesPIN: usesPIN)
    }

    /// Responds to the steps of a registration, and records them.
    func finish(
        _ flow: RegistrationFlow, as username: String = "anna", pin: String? = "24681",
        pages: DisplayedPages = DisplayedPages()
    ) async throws -> RegistrationOutcome {
        let browser = RecordingBrowser(
            inner: try await ScriptedBrowser(username, at: provider), pages: pages)
        for try await step in flow {
            switch step {
            case .browser(let challenge): try await challenge.present(with: browser)
            case .createPIN(let challenge):
                pages.pins.withLock { $0 += 1 }
                if let pin { try challenge.respond(with: PIN(pin)) } else { challenge.cancel() }
            case .enterPIN(let challenge): try challenge.respond(with: PIN(pin ?? ""))
            case .custom: Issue.record("not a custom provider")
            }
        }
        return try await flow.outcome
    }

    func signIn(
        _ client: IdentityClient, _ profile: Profile.ID, pin: String = "24681"
    ) async throws -> GatehouseClient.UserSession {
        let flow = client.authenticate(profile)
        for try await case .enterPIN(let challenge) in flow {
            guard challenge.attempts == nil else {
                challenge.cancel()
                continue
            }
            try challenge.respond(with: PIN(pin))
        }
        return try await flow.outcome
    }

    /// The installations of the person at the provider.
    func installations(of userID: String) async throws -> [String] {
        let person = try #require(Identifier<Person>(userID))
        return try await provider.provider.store.installations.installations(of: person)
            .map(\.id.description)
    }

    func addUpstream(_ name: String) async throws {
        let tenant = try #require(try await provider.provider.tenant(named: "default"))
        var upstream = UpstreamProvider(
            id: Identifier(now: provider.provider.clock.now, random: provider.provider.random),
            project: tenant.project.id, name: name, kind: .oidc,
            createdAt: provider.provider.clock.now)
        upstream.settings.buttonText = "Acme Works"
        upstream.settings.icon = "https://acme.example/icon.png"
        #expect(try await provider.provider.store.upstreamProviders.add(upstream))
        // The provider caches its list for a second.
        provider.clock.advance(by: .seconds(2))
    }
}

/// The pages and prompts of a registration.
final class DisplayedPages: Sendable {
    let urls = Mutex<[URL]>([])
    let pins = Mutex(0)

    /// The parameters of the last page.
    var parameters: [String: String] {
        get throws {
            let url = try #require(urls.withLock { $0.last })
            return try #require(BrowserRequest.parameters(of: url))
        }
    }

    var pinCount: Int { pins.withLock { $0 } }
    var pageCount: Int { urls.withLock { $0.count } }
}

struct RecordingBrowser: BrowserPresenter {
    let inner: ScriptedBrowser
    let pages: DisplayedPages

    func answer(to request: BrowserRequest) async throws -> BrowserResponse {
        let url = try #require(request.url(redirectingTo: InProcessProvider.redirectURI))
        pages.urls.withLock { $0.append(url) }
        return try await inner.answer(to: request)
    }
}

/// A store of a process that ends: later changes have no effect.
final class DyingStore: GatehouseClient.SecureStore {
    private let inner = InMemorySecureStore()
    private let left = Mutex<Int?>(nil)

    /// Ends the process after that number of changes; `nil` starts the next one.
    func end(after changes: Int?) { left.withLock { $0 = changes } }

    private func change() throws {
        let isAlive = left.withLock { left in
            guard let now = left else { return true }
            left = now - 1
            return now > 0
        }
        guard isAlive else { throw StoreError.unavailable("ended") }
    }

    func read(_ name: RecordName) async throws -> [UInt8]? { try await inner.read(name) }

    func write(_ bytes: [UInt8], to name: RecordName) async throws {
        try change()
        try await inner.write(bytes, to: name)
    }

    func remove(_ name: RecordName) async throws {
        try change()
        try await inner.remove(name)
    }

    func names() async throws -> [RecordName] { try await inner.names() }

    func withLock<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value { try await inner.withLock(name, body) }

    func withLockIfFree<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value? { try await inner.withLockIfFree(name, body) }
}

/// Keys that an ended process does not remove.
final class DyingKeyStore: GatehouseClient.KeyStore {
    private let inner = InMemoryKeyStore()
    private let isEnded = Mutex(false)

    func end(_ isEnded: Bool) { self.isEnded.withLock { $0 = isEnded } }

    func makeKey(_ name: RecordName) async throws -> any StoredKey {
        try await inner.makeKey(name)
    }

    func key(_ name: RecordName) async throws -> (any StoredKey)? { try await inner.key(name) }
    func keyNames() async throws -> [RecordName] { try await inner.keyNames() }

    func removeKey(_ name: RecordName) async throws {
        guard !isEnded.withLock({ $0 }) else { throw StoreError.unavailable("ended") }
        try await inner.removeKey(name)
    }
}
