// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Support
import Testing

/// Keys of ceremonies that never came to their end.
@Suite("Keys that were left behind") struct PendingKeysTests {
    private let provider: InProcessProvider
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        client = try provider.client(store: store, keys: keys)
    }

    private func slots() async throws -> [String] {
        try await store.names().map(\.rawValue).filter { $0.hasPrefix("making.") }
    }

    @Test(
        "An app that is killed while its browser is asked leaves a key; the next start removes it")
    func killed() async throws {
        let folder = TestFolder()
        let program = try #require(StoreProcesses.program)
        let app = try ChildProcess(
            program, [folder.path("app"), "browser"], log: URL(filePath: folder.path("log")))
        try await eventually("the browser is asked") {
            app.lastWords.contains("asked") ? true : nil
        }
        let kept = FileKeyStore(directory: folder.path("app/keys"), sealedWith: .besideRecords)
        let records = FileSecureStore(
            directory: folder.path("app/records"), sealedWith: .besideRecords)
        #expect(try await kept.keyNames().count == 1)
        let next = try provider.client(store: records, keys: kept)
        // Another process may start the app during the ceremony: the browser's response still finds
        // its key.
        try await next.start()
        #expect(try await kept.keyNames().count == 1)
        app.signal(SIGKILL)
        _ = try await app.ended()
        try await next.start()
        #expect(try await kept.keyNames().isEmpty)
        #expect(try await !records.names().contains { $0.rawValue.hasPrefix("making.") })
    }

    @Test("What comes to its end, or is cancelled, leaves nothing to clear")
    func finished() async throws {
        let browser = HeldBrowser(try await ScriptedBrowser("anna", at: provider))
        let signIn = Task { try await client.signIn(with: browser) }
        await browser.isAsked()
        #expect(try await slots() == ["making.0"])
        browser.release()
        _ = try await signIn.value
        #expect(try await slots().isEmpty)
        let names = try await keys.keyNames()
        let other = HeldBrowser(try await ScriptedBrowser("anna", at: provider))
        let cancelled = Task { try await client.signIn(with: other) }
        await other.isAsked()
        other.close()
        await #expect(throws: IdentityError.self) { try await cancelled.value }
        #expect(try await slots().isEmpty)
        #expect(Set(try await keys.keyNames()) == Set(names))
        try await client.start()
        #expect(Set(try await keys.keyNames()) == Set(names))
    }

    @Test("Two ceremonies at once have a slot each, and neither clears the other's key")
    func atOnce() async throws {
        let browsers = [
            HeldBrowser(try await ScriptedBrowser("anna", at: provider)),
            HeldBrowser(try await ScriptedBrowser("bob", at: provider)),
        ]
        let signIns = browsers.map { browser in
            Task { try await client.signIn(with: browser) }
        }
        for browser in browsers { await browser.isAsked() }
        #expect(Set(try await slots()) == ["making.0", "making.1"])
        try await client.start()
        #expect(try await keys.keyNames().count == 2)
        for browser in browsers { browser.close() }
        for signIn in signIns {
            await #expect(throws: IdentityError.self) { try await signIn.value }
        }
        #expect(try await keys.keyNames().isEmpty)
    }

    @Test("A key whose profile was saved stays, though its slot was not cleared")
    func used() async throws {
        let session = try await client.signInByBrowser("anna", at: provider)
        let key = try #require(try await keys.keyNames().first)
        try await store.write(
            Array(#"{"key":"\#(key.rawValue)"}"#.utf8), to: RecordName(testing: "making.3"))
        try await client.start()
        #expect(try await slots().isEmpty)
        #expect(try await keys.keyNames() == [key])
        #expect(try await session.accessToken().isBoundToKey)
    }

    @Test("A slot that cannot be read is emptied; a key that cannot be removed is kept in mind")
    func odd() async throws {
        try await store.write([1, 2, 3], to: RecordName(testing: "making.0"))
        try await client.start()
        #expect(try await slots().isEmpty)
        // Of a verifier that this client was made without.
        let verifier = SoftwareVerifier()
        let name = RecordName(testing: "key.left")
        _ = try await verifier.makeKey(name)
        try await store.write(
            Array(#"{"key":"key.left","authenticator":"biometric"}"#.utf8),
            to: RecordName(testing: "making.1"))
        try await client.start()
        #expect(try await slots() == ["making.1"])
        let whole = try provider.client(store: store, keys: keys, verifiers: [verifier])
        try await whole.start()
        #expect(try await slots().isEmpty)
        #expect(try await verifier.keyCount == 0)
    }

    @Test("A registration of which nothing was sent is cleared; one that may be known is kept")
    func pending() async throws {
        let names = ["key.aaaaaaaaaa", "key.bbbbbbbbbb"]
        let (unsent, sent) = (UUID(), UUID())
        for (id, key, isUncertain) in [(unsent, names[0], false), (sent, names[1], true)] {
            let name = try #require(RecordName(rawValue: key))
            _ = try await keys.makeKey(name)
            let record = try #require(
                RecordName(rawValue: "pending.\(id.uuidString.lowercased())"))
            let text = #"{"method":"testKey","key":"\#(key)","uncertain":\#(isUncertain)}"#
            try await store.write(Array(text.utf8), to: record)
        }
        try await client.start()
        #expect(try await client.pendingRegistrations.map(\.idempotencyKey) == [sent])
        #expect(try await keys.keyNames().map(\.rawValue) == [names[1]])
    }
}

extension IdentityClient {
    /// Signs a person in who has a session in their browser.
    nonisolated func signInByBrowser(
        _ username: String, at provider: InProcessProvider
    ) async throws -> UserSession {
        try await signIn(with: try await ScriptedBrowser(username, at: provider))
    }
}

/// A browser whose response is held until the test releases it.
struct HeldBrowser: BrowserPresenter {
    private let inner: ScriptedBrowser
    private let asked = OneShotContinuation<Void>()
    private let released = OneShotContinuation<Void>()

    init(_ inner: ScriptedBrowser) { self.inner = inner }

    func answer(to request: BrowserRequest) async throws -> BrowserResponse {
        asked.finish(.success(()))
        try await released.answer()
        return try await inner.answer(to: request)
    }

    /// Waits until the page is displayed. Call it once.
    func isAsked() async { try? await asked.answer() }
    func release() { released.finish(.success(())) }
    func close() { released.abandon() }
}
