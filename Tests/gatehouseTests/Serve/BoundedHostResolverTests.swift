// SPDX-License-Identifier: Apache-2.0
import Platform
import Support
import Synchronization
import Testing
import UserClient

@testable import gatehouse

/// Names whose lookup does not come to an end.
@Suite struct BoundedHostResolverTests {
    private let resolver = StuckResolver()
    private let lookups: BoundedHostResolver
    private static let most = 3

    init() {
        let resolver = resolver
        lookups = BoundedHostResolver(
            { try await resolver.addresses(of: $0) }, maximumAbandoned: Self.most)
    }

    @Test("A caller's wait is limited; abandoned lookups are counted, and finish")
    func limit() async throws {
        for count in 1...Self.most {
            await #expect(throws: WebClient.TooSlow.self) {
                try await lookups.addresses(of: "a.example", within: .milliseconds(1))
            }
            #expect(lookups.alone == count)
        }
        try await eventually("all have begun") { resolver.waiting == Self.most ? true : nil }
        await #expect(throws: BoundedHostResolver.TooMany.self) {
            try await lookups.addresses(of: "b.example", within: .seconds(60))
        }
        #expect(resolver.waiting == Self.most)
        resolver.end()
        try await eventually("the lookups have ended") { lookups.alone == 0 ? true : nil }
        let found = try await lookups.addresses(of: "c.example", within: .seconds(60))
        #expect(found.map(\.description) == ["192.0.2.1"] && lookups.alone == 0)
    }

    @Test("Who is cancelled waits no longer")
    func cancelled() async throws {
        let waiter = Task { try await lookups.addresses(of: "a.example", within: .seconds(3600)) }
        try await eventually("it has begun") { resolver.waiting == 1 ? true : nil }
        #expect(lookups.alone == 0)
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        #expect(lookups.alone == 1)
        resolver.end()
        try await eventually("the lookup has ended") { lookups.alone == 0 ? true : nil }
    }

    @Test("What the resolver says of a name is what is told")
    func told() async throws {
        struct Unknown: Error {}
        let refusing = BoundedHostResolver({ _ in throw Unknown() }, maximumAbandoned: 1)
        for _ in 0..<3 {
            await #expect(throws: Unknown.self) {
                try await refusing.addresses(of: "a.example", within: .seconds(60))
            }
        }
        #expect(refusing.alone == 0)
    }
}

/// A resolver that cannot be called back, until it is let go.
final class StuckResolver: Sendable {
    private struct State {
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isFree = false
    }

    private let state = Mutex(State())

    var waiting: Int { state.withLock { $0.waiting.count } }

    func addresses(of host: String) async throws -> [NetworkAddress] {
        await withCheckedContinuation { waiter in
            let isFree = state.withLock { state in
                if !state.isFree { state.waiting.append(waiter) }
                return state.isFree
            }
            if isFree { waiter.resume() }
        }
        return ["192.0.2.1"].compactMap { NetworkAddress(text: $0) }
    }

    /// It answers, now and from now on.
    func end() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isFree = true
            return state.waiting
        }
        for waiter in waiting { waiter.resume() }
    }
}
