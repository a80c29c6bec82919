// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderDevices
import ProviderSupport
import ProviderTokens
import Storage
import Support
import Testing

/// Signing keys of several processes that share a store.
@Suite struct KeyScheduleTests {
    private static let period = TimeSpan.days(90)

    /// Another process on the store of the first.
    private func other(_ house: OAuthHouse) async throws -> Provider {
        try await TestProvider.empty(store: house.provider.store, clock: house.clock)
    }

    private func keys(_ house: OAuthHouse, _ state: SigningKey.State) async throws -> [SigningKey] {
        try await house.provider.store.signingKeys.signingKeys(of: house.tenant.project.id)
            .filter { $0.state == state }
    }

    @Test("A key that another process has made active is found before its token is called inactive")
    func unknownKey() async throws {
        let house = try await OAuthHouse()
        _ = try await house.get("/jwks")
        let other = try await other(house)
        // The first rotation activates a key that both know, the second one of the first rotation.
        for _ in 0..<2 {
            let rotation = try await other.keys.rotate(.es256, of: house.tenant, atOnce: true)
            #expect(rotation == .rotated)
        }
        let kid = try #require(try await keys(house, .active).first?.kid)
        let known = try await house.provider.keys.publishedKeys(of: house.tenant)
        #expect(known.key(id: kid) == nil)
        let reloaded = try await house.provider.keys.publishedKeys(of: house.tenant, naming: kid)
        #expect(reloaded.key(id: kid) != nil)
        // It is published from now on.
        let published = try JWKSet(bytes: try await house.get("/jwks").body)
        #expect(published.key(id: kid) != nil)
    }

    @Test("Attack 93: invented key IDs cause one read of the keys in a second")
    func inventedKeys() async throws {
        let house = try await OAuthHouse()
        _ = try await house.get("/jwks")
        for _ in 0..<2 {
            let costs = try await house.engine.count {
                for number in 0..<100 {
                    _ = try await house.provider.keys.publishedKeys(
                        of: house.tenant, naming: "invented-\(number)")
                }
            }
            #expect(costs.reads == 1)
            house.clock.advance(by: .seconds(1))
        }
    }

    @Test("Keys are rotated by schedule, once for all processes, with an event")
    func rotation() async throws {
        let house = try await OAuthHouse()
        let first = SigningKeySchedule(house.provider, every: Self.period)
        let second = SigningKeySchedule(try await other(house), every: Self.period)
        #expect(try await first.run() == 0)
        let next = try #require(try await keys(house, .next).first)
        house.clock.advance(by: Self.period)
        async let one = first.run()
        async let two = second.run()
        let count = try await one + two
        #expect(count == 1)
        // It was published all the time before it signs.
        #expect(try await keys(house, .active).map(\.kid) == [next.kid])
        #expect(try await keys(house, .retiring).count == 1)
        #expect(try await first.run() == 0)
        var filter = AuditFilter()
        filter.action = "admin.key.rotate"
        let events = try await house.provider.store.auditLog.auditEvents(
            filter, before: nil, limit: 10)
        #expect(events.count == 1 && events.first?.requestID == "schedule")
    }

    @Test("A next key that is not published long enough does not become active by schedule")
    func publication() async throws {
        let house = try await OAuthHouse()
        let schedule = SigningKeySchedule(house.provider, every: .seconds(1))
        house.clock.advance(by: .seconds(1))
        // Each JWK set had both keys of the first pair.
        #expect(try await schedule.run() == 1)
        house.clock.advance(by: .seconds(KeyRing.publication.seconds - 1))
        #expect(try await schedule.run() == 0)
        house.clock.advance(by: .seconds(1))
        #expect(try await schedule.run() == 1)
    }

    @Test("Attack 101: a key that another process retired counts at no verifier after 30 seconds")
    func retiredElsewhere() async throws {
        let house = try await OAuthHouse()
        let other = try await other(house)
        let tokens = try await house.tokens()
        let access = try #require(tokens["access_token"]?.string)
        let identity = try #require(tokens["id_token"]?.string)
        let kid = try #require(try await keys(house, .active).first?.kid)
        #expect(try await other.keys.rotate(.es256, of: house.tenant) == .rotated)
        house.clock.advance(by: .seconds(31))
        // Both are cached: the keys now, the token some seconds later.
        _ = try await house.get("/jwks")
        house.clock.advance(by: .seconds(20))
        #expect(try await house.isActive(access))
        #expect(try await isHint(identity, in: house))
        #expect(try await other.keys.retire(kid: kid, of: house.tenant))
        house.clock.advance(by: .seconds(10))
        #expect(try await !house.isActive(access))
        #expect(try await !isHint(identity, in: house))
        for path in ["/jwks", "/jwks/federation"] {
            #expect(!String(decoding: try await house.get(path).body, as: UTF8.self).contains(kid))
        }
        let devices = try await PlatformSSOKeySet(house.provider).json(of: house.tenant)
        #expect(!String(decoding: devices, as: UTF8.self).contains(kid))
    }

    @Test("Attack 101: an ID token of a key whose time has ended is no hint")
    func endedHint() async throws {
        let house = try await OAuthHouse()
        let identity = try #require(try await house.tokens()["id_token"]?.string)
        #expect(try await house.provider.keys.rotate(.es256, of: house.tenant) == .rotated)
        house.clock.advance(by: .seconds(KeyRing.retention.seconds - 1))
        #expect(try await isHint(identity, in: house))
        house.clock.advance(by: .seconds(1))
        #expect(try await !isHint(identity, in: house))
    }

    private func isHint(_ token: String, in house: OAuthHouse) async throws -> Bool {
        try await IDTokenHint.read(
            token, tenant: house.tenant, provider: house.provider, now: house.clock.now) != nil
    }

    @Test("A rotated key is retired after its time, and is not published any more")
    func retirement() async throws {
        let house = try await OAuthHouse()
        let schedule = SigningKeySchedule(house.provider, every: Self.period)
        house.clock.advance(by: Self.period)
        #expect(try await schedule.run() == 1)
        let retiring = try #require(try await keys(house, .retiring).first)
        house.clock.advance(by: .seconds(KeyRing.retention.seconds - 1))
        #expect(try await schedule.run() == 0)
        house.clock.advance(by: .seconds(1))
        #expect(try await schedule.run() == 1)
        let published = try JWKSet(bytes: try await house.get("/jwks").body)
        #expect(published.key(id: retiring.kid) == nil)
    }
}
