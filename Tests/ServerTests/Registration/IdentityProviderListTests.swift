// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// The list from which an app draws its buttons.
@Suite struct IdentityProviderListTests {
    private let house: RegistrationHouse

    init() async throws {
        house = try await RegistrationHouse()
        var service = CustomProviderSettings()
        service.id = "badge"
        service.url = "https://people.example/"
        var letter = service
        letter.id = "letter"
        letter.name = "A letter"
        letter.icon = "data:image/svg+xml,x"
        letter.twoStep = true
        var disabled = service
        disabled.id = "old"
        disabled.enabled = false
        try await house.change { project in
            project.theme = Theme(displayName: "Example", logo: "/logo.svg")
            project.policy.registration.identityProviders = [service, letter, disabled]
            project.policy.registration.methods = ["oidc", "customOneStep", "customTwoStep"]
        }
        try await add("acme") {
            $0.settings.buttonText = "Acme Works"
            $0.settings.icon = "https://acme.example/icon.png"
        }
        try await add("linked") { $0.settings.linkOnly = true }
        try await add("off") { $0.isEnabled = false }
    }

    private func add(_ name: String, _ change: (inout UpstreamProvider) -> Void) async throws {
        var provider = UpstreamProvider(
            id: Identifier(now: house.oauth.clock.now, random: house.oauth.random),
            project: house.oauth.tenant.project.id, name: name, kind: .oidc,
            createdAt: house.oauth.clock.now)
        change(&provider)
        #expect(try await house.provider.store.upstreamProviders.add(provider))
    }

    private func listed() async throws -> JSONValue? {
        try await house.call(.get, "/registration/identity-providers").body["items"]
    }

    @Test("Sign-in page, upstream providers and services are listed with kind, name and icon")
    func all() async throws {
        #expect(
            try await listed() == [
                [
                    "id": "browser", "kind": "browser", "name": "Example",
                    "icon": .string(OAuthHouse.issuer + "/logo.svg"), "method": "oidc",
                ],
                [
                    "id": "acme", "kind": "upstream", "name": "Acme Works",
                    "icon": "https://acme.example/icon.png", "method": "oidc",
                ],
                ["id": "badge", "kind": "custom", "name": "badge", "method": "customOneStep"],
                [
                    "id": "letter", "kind": "custom", "name": "A letter",
                    "icon": "data:image/svg+xml,x", "method": "customTwoStep",
                ],
            ])
    }

    @Test("Without the method oidc only the services are listed")
    func withoutBrowser() async throws {
        try await house.change { $0.policy.registration.methods = ["customOneStep"] }
        #expect(try await listed()?.array?.compactMap { $0["id"]?.string } == ["badge", "letter"])
    }
}
