// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Storage
import Support
import Testing

@Suite struct TenantTests {
    @Test(
        "issuer and paths of a project follow from the installation's issuer",
        arguments: [
            ("https://a.example", "default", "https://a.example", ""),
            ("https://a.example", "qa", "https://a.example/p/qa", "/p/qa"),
            ("https://a.example/auth", "default", "https://a.example/auth", "/auth"),
            (
                "https://a.example:8443/id/auth", "qa", "https://a.example:8443/id/auth/p/qa",
                "/id/auth/p/qa"
            ),
            ("http://[::1]:8080/auth", "default", "http://[::1]:8080/auth", "/auth"),
        ])
    func paths(_ base: String, _ name: String, _ issuer: String, _ prefix: String) {
        let clock = ManualClock()
        let project = Project(
            id: Identifier(now: clock.now, random: SeededRandom(seed: 1)), name: name,
            environment: .development, createdAt: clock.now)
        let tenant = Tenant(project: project, issuer: base)
        #expect(tenant.issuer == issuer && tenant.pathPrefix == prefix)
        #expect(prefix.hasPrefix(tenant.basePath))
    }

    @Test("the path of an issuer changes neither its origin nor whether it is a developer's")
    func origin() {
        #expect(SiteOrigin(issuer: "https://a.example/auth")?.origin == "https://a.example")
        #expect(IssuerAddress("http://localhost:8080/auth").isDevelopers)
        #expect(!IssuerAddress("http://a.example/localhost").isDevelopers)
        #expect(IssuerAddress("https://a.example").path.isEmpty)
    }
}
