// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// `/.well-known/assetlinks.json`, which Android requests from the host.
@Suite struct AssetLinksTests {
    private static let path = "/.well-known/assetlinks.json"
    private static let digest = String(repeating: "0a", count: 32)
    private static let shown = Array(repeating: "0A", count: 32).joined(separator: ":")

    private func app(_ name: String, _ fingerprints: [String]) -> AndroidAppPolicy.Application {
        var app = AndroidAppPolicy.Application()
        app.name = name
        app.fingerprints = fingerprints
        return app
    }

    private func statements(_ answer: ServerResponse) throws -> [JSONValue] {
        let document = try JSONParser.parse(answer.body, maximumBytes: 65_536)
        return try #require(document.array)
    }

    @Test("the Android apps of the project are served as Digital Asset Links, without a redirect")
    func served() async throws {
        let house = try await OAuthHouse()
        var project = house.tenant.project
        project.policy.registration.android.applications = [
            app("org.example.notes", [Self.digest, Self.shown]), app("org.example.unsigned", []),
        ]
        _ = try await house.provider.store.projects.save(project)
        house.provider.tenants.invalidate()
        let answer = try await house.get(Self.path)
        #expect(answer.status == .ok && answer.headers[.location] == nil)
        #expect(answer.headers[.contentType] == "application/json")
        #expect(answer.headers[.cacheControl] == "public, max-age=300")
        let found = try statements(answer)
        #expect(found.count == 1)
        #expect(
            found.first?["relation"]?.strings == [
                "delegate_permission/common.handle_all_urls",
                "delegate_permission/common.get_login_creds",
            ])
        let target = try #require(found.first?["target"])
        #expect(target["namespace"]?.string == "android_app")
        #expect(target["package_name"]?.string == "org.example.notes")
        #expect(target["sha256_cert_fingerprints"]?.strings == [Self.shown, Self.shown])
    }

    @Test("a project without Android apps has an empty list, and the provider's document its URL")
    func none() async throws {
        let house = try await OAuthHouse()
        #expect(try statements(try await house.get(Self.path)).isEmpty)
        let provider = try house.json(try await house.get("/.well-known/gatehouse"))
        #expect(provider["webauthn"]?["asset_links"]?.string == OAuthHouse.issuer + Self.path)
    }

    @Test("an issuer with a path serves it at the root of the host")
    func ofHost() async throws {
        let house = try await IssuerPathHouse()
        let answer = try await house.browser().opened(Self.path)
        #expect(answer.status == .ok && answer.text == "[]")
    }
}
