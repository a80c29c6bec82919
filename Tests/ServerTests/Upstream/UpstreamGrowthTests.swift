// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import ProviderCore
import ProviderTokens
import Storage
import Testing

/// What leaving for another provider leaves here.
@Suite struct UpstreamGrowthTests {
    @Test("Attack 67: leaving for another provider leaves no row, from however many addresses")
    func departures() async throws {
        let house = try await UpstreamHouse()
        let handle = String(repeating: "h", count: Interaction.maximumHandleLength)
        let before = try await house.store.maintenance.status().rows
        for number in 0..<1500 {
            // A new browser each time, as a client without cookies.
            var browser = house.pages.browser("198.51.100.\(number % 3)")
            let answer = try await browser.get(
                "/sign-in/with/acme?continue=\(handle)&next=account&x=\(handle)")
            #expect(answer.status == .seeOther)
        }
        await house.provider.audit.flush()
        let after = try await house.store.maintenance.status().rows
        // One count for each address.
        #expect(after["attempts"] == (before["attempts"] ?? 0) + 3)
        for table in after.keys where table != "attempts" {
            #expect(after[table] == before[table], "\(table)")
        }
    }

    @Test("A request of the greatest length is carried there and back, in two windows at once")
    func longest() async throws {
        let house = try await UpstreamHouse()
        var browser = house.pages.browser()
        let handles = ["g", "h"].map {
            String(repeating: $0, count: Interaction.maximumHandleLength)
        }
        var backs: [String] = []
        for handle in handles {
            let location = try await house.leave(&browser, query: "?continue=\(handle)")
            #expect(!location.contains(handle))
            backs.append(UpstreamHouse.path(try house.acme.authorize(location)))
        }
        let carried = browser.cookies.filter { $0.key.hasPrefix("gatehouse-departure") }
        #expect(carried.count == 4)
        for (name, value) in carried { #expect(name.utf8.count + value.utf8.count <= 4096) }
        let header = browser.cookies.map { "\($0)=\($1)" }.joined(separator: "; ")
        #expect(header.utf8.count < 16 * 1024)
        for (back, handle) in zip(backs, handles) {
            #expect(try await browser.get(back).location == "/continue?continue=\(handle)")
        }
        #expect(!browser.cookies.keys.contains { $0.hasPrefix("gatehouse-departure") })
    }

    @Test("A cookie that was changed, or is of another attempt, carries nothing")
    func exchanged() async throws {
        let house = try await UpstreamHouse()
        let name = "gatehouse-departure-1"
        var thief = house.pages.browser()
        _ = try await house.leave(&thief, query: "?continue=evil")
        let foreign = try #require(thief.cookies[name])
        for change in [
            { (_: String) in foreign }, { $0.replacing(".mine", with: ".evil") },
            { $0.replacing(".mine", with: "") }, { String($0.dropFirst()) }, { _ in "." },
        ] {
            var browser = house.pages.browser()
            let location = try await house.leave(&browser, query: "?continue=mine")
            browser.cookies[name] = change(try #require(browser.cookies[name]))
            let answer = try await browser.get(
                UpstreamHouse.path(try house.acme.authorize(location)))
            #expect(answer.status == .unprocessableContent)
            #expect(try await house.signedIn(browser) == nil)
        }
        #expect(!house.acme.asked.contains("/token"))
    }
}
