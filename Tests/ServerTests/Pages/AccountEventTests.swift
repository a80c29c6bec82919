// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import ProviderSupport
import Storage
import Support
import Testing

/// What has happened lately, on the account page.
@Suite struct AccountEventTests {
    @Test("what administrators did is said in words, in both languages", arguments: ["en", "de"])
    func words(_ language: String) async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        browser.language = language
        let anna = try await house.person("anna").id
        let actions = [
            "admin.role.grant", "admin.group.join", "admin.api-token.hand-over",
            "admin.person.sign-out", "admin.something.new", "web-handoff.opened",
            "device.sign-in", "device.something.new", "token.pin", "registration.appAttest",
        ]
        try await house.provider.store.auditLog.append(
            actions.map { action in
                AuditEvent(
                    id: Identifier(now: house.clock.now, random: house.random),
                    project: house.project.id, at: house.clock.now, action: action,
                    outcome: .accepted, person: anna, address: "192.0.2.7", requestID: "r7")
            })
        let page = try await browser.get("/account").text
        for action in actions { #expect(!page.contains(action), "\(action)") }
        #expect(page.contains(language == "de" ? "Rolle zugewiesen" : "A role was assigned to you"))
        #expect(
            page.contains(
                language == "de"
                    ? "Die Verwaltung hat Ihr Konto geändert"
                    : "An administrator changed your account"))
    }
}
