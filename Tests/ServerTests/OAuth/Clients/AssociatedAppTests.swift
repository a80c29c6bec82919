// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import ProviderAdministration
import ProviderCore
import ProviderSettings
import Storage
import Support
import Testing

/// `/.well-known/apple-app-site-association`, which Apple's systems ask of the host.
@Suite struct AssociatedAppTests {
    private static let path = "/.well-known/apple-app-site-association"
    private static let app = "ABCDE12345.com.example.security-key-app"
    private static let agent = "ABCDE12345.com.example.sso-extension"

    private func house() async throws -> OAuthHouse {
        let house = try await OAuthHouse()
        var project = house.tenant.project
        project.policy.associatedApps.webCredentials = [Self.app]
        project.policy.associatedApps.authenticationServices = [Self.agent]
        _ = try await house.provider.store.projects.save(project)
        house.provider.tenants.invalidate()
        return house
    }

    @Test("the apps of the project are served as JSON, to be kept for a while, without a redirect")
    func served() async throws {
        let house = try await house()
        let answer = try await house.get(Self.path)
        #expect(answer.status == .ok && answer.headers[.location] == nil)
        #expect(answer.headers[.contentType] == "application/json")
        #expect(answer.headers[.cacheControl] == "public, max-age=300")
        let document = try house.json(answer)
        #expect(document["webcredentials"]?["apps"]?.strings == [Self.app])
        #expect(document["authsrv"]?["apps"]?.strings == [Self.agent])
        #expect(document.members.map(\.name) == ["webcredentials", "authsrv"])
    }

    @Test("a project without apps names none, and the document of the provider says where to look")
    func none() async throws {
        let house = try await OAuthHouse()
        let document = try house.json(try await house.get(Self.path))
        #expect(document["webcredentials"]?["apps"]?.strings == [])
        #expect(document["authsrv"]?["apps"]?.strings == [])
        let provider = try house.json(try await house.get("/.well-known/gatehouse"))
        #expect(
            provider["webauthn"]?["app_association"]?.string == OAuthHouse.issuer + Self.path)
    }

    @Test("nothing that is asked of it makes it redirect")
    func noRedirect() async throws {
        let house = try await house()
        for query in ["?next=https://evil.example", "?redirect_uri=//evil.example", "?"] {
            let answer = try await house.get(Self.path + query)
            #expect(answer.status == .ok && answer.headers[.location] == nil)
        }
    }

    @Test(
        "what is no identifier of an app is refused when it is set",
        arguments: [
            "", "com.example.app", "ABCDE12345", "ABCDE12345.", "abcde12345.com.example.app",
            "ABCDE1234.com.example.app", "ABCDE12345.com.example app", "*.com.example.app",
            "ABCDE12345.com.example\u{E4}", "ABCDE12345.\"x", "https://example.com",
            "ABCDE12345." + String(repeating: "a", count: 156),
        ])
    func malformed(identifier: String) {
        for service in ["webcredentials", "authsrv"] {
            let apps: JSONValue = .object(
                JSONObject([.init(name: service, value: [.string(identifier)])]))
            #expect(throws: StateDocumentError.self) {
                try StateParser.parse(["projects": [["name": "p", "associated_apps": apps]]])
            }
        }
    }

    @Test("the section is applied, compared and exported; an unknown service is refused")
    func state() async throws {
        let house = try await OAuthHouse()
        let state: JSONValue = [
            "projects": [
                ["name": "default", "associated_apps": ["webcredentials": [.string(Self.app)]]]
            ]
        ]
        let desired = try StateParser.parse(state)
        let reconciler = StateReconciler(house.provider)
        let first = try await reconciler.apply(desired, facts: house.facts).get()
        #expect(first.flatMap(\.fields).map(\.name) == ["associated_apps.webcredentials"])
        let second = try await reconciler.apply(desired, facts: house.facts).get()
        #expect(second.flatMap(\.fields).isEmpty)
        let exported = try await StateExport(house.provider).document(project: "default")
        #expect(
            exported["projects"]?.array?.first?["associated_apps"]?["webcredentials"]?.strings
                == [Self.app])
        // An update of the policy leaves the apps unchanged.
        let policy = try StateParser.parse([
            "projects": [["name": "default", "policy": ["self_registration": true]]]
        ])
        _ = try await reconciler.apply(policy, facts: house.facts).get()
        let document = try house.json(try await house.get(Self.path))
        #expect(document["webcredentials"]?["apps"]?.strings == [Self.app])
        #expect(throws: StateDocumentError.self) {
            try StateParser.parse([
                "projects": [["name": "default", "associated_apps": ["applinks": []]]]
            ])
        }
    }
}
