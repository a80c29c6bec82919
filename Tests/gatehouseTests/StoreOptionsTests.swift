// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import StorageSQLite
import Support
import Testing

@testable import gatehouse

@Suite struct StoreOptionsTests {
    private let now = Timestamp(seconds: 1_800_000_000)
    private let store: any ProviderStore

    init() async throws { store = try await SQLiteStore.temporary() }

    private func lease(_ name: String, for span: TimeSpan) async throws -> ServerLease {
        let lease = ServerLease(
            id: Identifier(now: now, random: SystemRandomSource()), name: name,
            expiresAt: now + span)
        try await store.renew(lease)
        return lease
    }

    @Test("A living lease refuses, with who holds it and how long to wait")
    func living() async throws {
        _ = try await lease("a:1", for: .seconds(20))
        _ = try await lease("b:2", for: .seconds(170))
        let error = await #expect(throws: CommandError.self) {
            try await StoreOptions.refuseWhileServed(store, now: now)
        }
        #expect(error?.code == .failed)
        let text = error?.description ?? ""
        for word in ["(a:1, b:2)", "170 s", "--force"] { #expect(text.contains(word), "\(word)") }
    }

    @Test("Leases that are over or released refuse nothing")
    func over() async throws {
        _ = try await lease("killed:1", for: .seconds(0))
        let released = try await lease("stopped:2", for: .minutes(3))
        try await store.release(lease: released.id)
        try await StoreOptions.refuseWhileServed(store, now: now)
    }
}
