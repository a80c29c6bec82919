// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Testing

@Suite struct PagesKnownBrowserTests {
    @Test("Attack 68: an attacker's guesses block unknown browsers, and not her browser")
    func knownBrowser() async throws {
        let house = try await PagesHouse()
        var own = try await house.registered()
        #expect(own.cookies["gatehouse-known"] != nil)
        own.cookies["gatehouse-session"] = nil
        var stranger = house.browser()
        _ = try await stranger.get("/sign-in")
        let guess = ["username": "anna", "password": "a guess"]
        for _ in 0..<10 { _ = try await stranger.submit("/sign-in", guess) }
        let right = ["username": "anna", "password": "correct horse battery staple"]
        let refused = try await stranger.submit("/sign-in", right)
        #expect(refused.status == .tooManyRequests)
        _ = try await own.get("/sign-in")
        let welcome = try await own.submit("/sign-in", right)
        #expect(welcome.status == .seeOther)
        #expect(own.cookies["gatehouse-session"] != nil)
    }
}
