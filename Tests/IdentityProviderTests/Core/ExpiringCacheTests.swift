// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Testing

@Suite struct ExpiringCacheTests {
    private let start = Timestamp(seconds: 1000)

    @Test("a value is loaded once while it is fresh, and again when it is not")
    func freshness() async throws {
        let cache = ExpiringCache<String, Int>(capacity: 4)
        var loads = 0
        for span in [0, 500, 999, 1000, 1500] as [Int64] {
            let now = start + TimeSpan(milliseconds: span)
            _ = try await cache.value(for: "a", now: now) {
                loads += 1
                return loads
            }
        }
        #expect(loads == 2)
    }

    @Test("a clock that went back makes nothing fresh")
    func clockWentBack() async throws {
        let cache = ExpiringCache<String, Int>(capacity: 4)
        _ = try await cache.value(for: "a", now: start) { 1 }
        let value = try await cache.value(for: "a", now: start - .hours(1)) { 2 }
        #expect(value == 2)
    }

    @Test("what is not there is asked for each time")
    func absent() async throws {
        let cache = ExpiringCache<String, Int>(capacity: 4)
        let first = try await cache.value(for: "a", now: start) { nil }
        let second = try await cache.value(for: "a", now: start) { 7 }
        #expect(first == nil && second == 7)
    }

    @Test("a load that began before an invalidation is not kept")
    func raceWithInvalidation() async throws {
        let cache = ExpiringCache<String, Int>(capacity: 4)
        _ = try await cache.value(for: "a", now: start) {
            cache.invalidate()
            return 1
        }
        let value = try await cache.value(for: "a", now: start) { 2 }
        #expect(value == 2)
    }

    @Test("beyond its capacity it removes entries instead of growing")
    func bounded() async throws {
        let cache = ExpiringCache<Int, Int>(capacity: 8)
        for key in 0..<100 { _ = try await cache.value(for: key, now: start) { key } }
        var reloaded = 0
        for key in 0..<100 {
            _ = try await cache.value(for: key, now: start) {
                reloaded += 1
                return key
            }
        }
        #expect(reloaded >= 92)
    }
}
