// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Testing

/// From the app to the web.
@Suite("Hand-off") struct WebFlowTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let client: IdentityClient
    private let target = "https://shop.example/account"

    init() async throws {
        provider = try await InProcessProvider()
        try await provider.letAppHandOff(to: [target])
        wire = FaultyTransport(provider)
        client = try provider.client(transport: wire)
    }

    private func registered() async throws -> Profile {
        try await client.register(.credential(provider.testKey())).profile
    }

    @Test("A session gives an address of the provider that works for a minute")
    func handsOff() async throws {
        let profile = try await registered()
        let session = try await client.signIn(.deviceKey, as: profile.id)
        let handoff = try await session.webHandoff(
            to: try #require(URL(string: target + "?tab=orders")))
        #expect(handoff.url.absoluteString.hasPrefix(InProcessProvider.issuer + "/handoff?token="))
        let life = handoff.expiresAt.timeIntervalSince(provider.clock.now)
        #expect(life == 60)
    }

    @Test("Another target, or nobody signed in, is refused in words of its own")
    func refused() async throws {
        let profile = try await registered()
        let session = try await client.signIn(.deviceKey, as: profile.id)
        let elsewhere = try #require(URL(string: "https://evil.example/account"))
        await #expect(throws: IdentityError.made(.webHandoff, .webTargetRefused)) {
            try await session.webHandoff(to: elsewhere)
        }
        #expect(IdentityError.made(.webHandoff, .webTargetRefused).legacyCode == 10023)
        try await provider.removeAllInstallations(of: profile.userID)
        provider.clock.advance(by: .seconds(3700))
        let there = try #require(URL(string: target))
        await #expect(throws: IdentityError.made(.webHandoff, .notSignedIn)) {
            try await session.webHandoff(to: there)
        }
        #expect(IdentityError.made(.webHandoff, .notSignedIn).legacyCode == 9010)
    }
}
