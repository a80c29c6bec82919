// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import Support
import Testing

/// Two administrators change one resource at the same time.
@Suite struct ConsoleLostUpdateTests {
    private let page = "/console/projects/default/clients/shop"

    @Test("Attack 65: a concurrent change of a client is applied or reported")
    func clients() async throws {
        let house = try await ConsoleHouse()
        let browsers = [
            try await house.administrator(.owner),
            try await house.administrator(.projectAdministrator, in: house.home, named: "pia"),
        ]
        var shop = try await house.client("shop")
        for round in 0..<6 {
            shop.disabled = false
            shop.metadata.clientName = "before"
            #expect(try await house.store.clients.save(shop, now: house.pages.clock.now))
            let typed = [
                "client_name": "after \(round)",
                "redirect_uris": shop.metadata.redirectURIs.joined(separator: "\n"),
            ]
            async let disabled = submit("/disable", [:], by: browsers[0])
            async let renamed = submit("/change", typed, by: browsers[1])
            let kept = try await (isDisabled: disabled, isRenamed: renamed)
            let found = try await house.store.clients.client(shop.id)
            #expect(found?.disabled == kept.isDisabled)
            #expect((found?.metadata.clientName == "after \(round)") == kept.isRenamed)
            #expect(kept.isDisabled || kept.isRenamed)
        }
    }

    /// Whether it was done.
    private func submit(
        _ act: String, _ fields: [String: String], by browser: Browser
    ) async throws -> Bool {
        var browser = browser
        let answer = try await browser.submit(page + act, fields)
        return answer.location?.hasPrefix(page + "?done=") == true
    }
}
