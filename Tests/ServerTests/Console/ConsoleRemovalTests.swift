// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import ProviderAdministration
import Storage
import Testing

@testable import AdminConsole
@testable import AdminEndpoints
@testable import HTTPServer

/// Every removal can be restored, or requires the name as a confirmation.
@Suite struct ConsoleRemovalTests {
    private static let root = "/console/projects/default"
    private static let project = "/console/projects/{project}"

    /// How calls of the Admin API and pages are named that take something away.
    private static let verbs = ["remove", "revoke", "retire", "sweep", "end", "close", "take"]

    @Test("every call that takes something away is undone, or asks for the name, or says why not")
    func calls() async throws {
        let endpoints = try await AdminHouse().api.endpoints
        let taking = endpoints.filter { endpoint in
            // Deleted rows of the store were expired, and no page deletes them.
            endpoint.operation != .sweepStore
                && (endpoint.method == .delete
                    || Self.verbs.contains { endpoint.operation.rawValue.hasPrefix($0) })
        }
        let ruled = AdministrativeOperation.allCases.filter { ConsoleRemovalRule($0) != nil }
        #expect(Set(taking.map(\.operation)) == Set(ruled))
        for operation in ruled {
            guard case .undo(let making) = ConsoleRemovalRule(operation) else { continue }
            // The right to remove includes the right to create: an offered restore is not refused.
            let removes = operation.right
            #expect(removes != nil, "\(operation)")
            #expect(removes == making.right, "\(operation)")
        }
    }

    private enum Way { case undo, typed }

    /// Every page of a project that takes something away, a second time.
    private static let pages: [String: Way] = [
        "/people/{person}/remove": .typed,
        "/people/{person}/installations/{installation}/remove": .typed,
        "/groups/{group}/remove": .undo,
        "/devices/{device}/revoke": .typed, "/devices/{device}/users/{person}/remove": .typed,
        "/clients/{client}/remove": .typed, "/test-keys/{key}/revoke": .typed,
        "/test-keys/sweep": .typed, "/issuer-keys/{key}/remove": .undo,
        "/entitlement-sets/{set}/remove": .undo,
        "/entitlement-sequences/{sequence}/remove": .undo,
        "/registration-tokens/{token}/revoke": .typed, "/api-tokens/{token}/revoke": .typed,
        "/identity-providers/upstream/{name}/remove": .typed,
        "/identity-providers/custom/{name}/remove": .undo,
        "/fingerprints/apps/{name}/remove": .undo,
        "/versions/applications/{name}/remove": .undo,
        "/versions/systems/{name}/remove": .undo,
        "/keys/{kid}/retire": .typed, "/encryption-keys/{key}/retire": .typed,
        "/remove": .typed,
    ]

    @Test("every page that takes something away is one of those that are tried")
    func routes() async throws {
        let house = try await ConsoleHouse()
        let routes = house.pages.console.routes()
        let taking = Set(
            routes.map(\.pattern).filter { pattern in
                Self.verbs.contains(String(pattern.split(separator: "/").last ?? ""))
            })
        var expected = Set(Self.pages.keys.map { Self.project + $0 })
        expected.formUnion([
            "/console/administrators/{person}/{scope}/revoke",
            Self.project + "/people/{person}/re-registration/close",
        ])
        #expect(taking == expected)
        // A removal that cannot be restored has a confirmation page first.
        for (pattern, way) in Self.pages where way == .typed {
            let methods = routes.filter { $0.pattern == Self.project + pattern }.map(\.method)
            #expect(Set(methods) == [.get, .post], "\(pattern)")
        }
    }

    /// Made by forms, so that there is something to take away.
    private static let made: [(path: String, fields: [String: String])] = [
        ("/test-keys/create", ["name": "ci", "alg": "ES256"]),
        ("/registration-tokens/create", ["label": "lab", "maximum_uses": "1", "hours": "1"]),
        ("/api-tokens/create", ["name": "ci", "role": "developer", "days": "30"]),
        ("/keys/rotate", ["algorithm": "ES256"]),
        ("/encryption-keys/rotate", [:]),
        (
            "/identity-providers/upstream/create",
            [
                "kind-of-entry": "upstream", "identifier": "acme", "kind": "oidc",
                "issuer": "https://acme.example", "client_id": "gatehouse",
                "token_endpoint_auth_method": "private_key_jwt",
            ]
        ),
    ]

    /// Something behind every page of ``Way/typed``: its address.
    private func typed(
        _ house: ConsoleHouse, _ browser: inout Browser
    ) async throws -> [String: String] {
        let bea = try await house.person("bea")
        try await house.client("shop")
        let device = try await house.machine(of: bea)
        let installation = try await house.installation(of: bea)
        for (path, fields) in Self.made {
            // Keys are there from the first look on.
            _ = try await browser.get(Self.root + "/" + path.split(separator: "/")[0])
            let answer = try await browser.submit(Self.root + path, fields)
            #expect(answer.status == .ok || answer.status == .seeOther, "\(path)")
        }
        let (store, home) = (house.store, house.home.id)
        let testKeys = try await store.issuerKeys.issuerKeys(of: home, kind: .test)
        let tokens = try await store.devices.deviceTokens(of: home, after: nil, limit: 1)
        let apiTokens = try await store.apiTokens.apiTokens(of: home, after: nil, limit: 1)
        let signing = try await store.signingKeys.signingKeys(of: home).filter {
            $0.state == .retiring
        }
        let encryption = try await store.encryptionKeys.encryptionKeys(of: home).filter {
            $0.state == .retiring
        }
        let (person, machine) = ("/people/\(bea.id)", "/devices/\(device.id)")
        let addresses = [
            "/people/{person}/remove": "/people/bea/remove",
            "/people/{person}/installations/{installation}/remove":
                "\(person)/installations/\(installation)/remove",
            "/devices/{device}/revoke": machine + "/revoke",
            "/devices/{device}/users/{person}/remove": "\(machine)/users/\(bea.id)/remove",
            "/clients/{client}/remove": "/clients/shop/remove",
            "/test-keys/{key}/revoke": "/test-keys/\(try #require(testKeys.first).kid)/revoke",
            "/test-keys/sweep": "/test-keys/sweep",
            "/registration-tokens/{token}/revoke":
                "/registration-tokens/\(try #require(tokens.first).id)/revoke",
            "/api-tokens/{token}/revoke":
                "/api-tokens/\(try #require(apiTokens.first).id)/revoke",
            "/identity-providers/upstream/{name}/remove":
                "/identity-providers/upstream/acme/remove",
            "/keys/{kid}/retire": "/keys/\(try #require(signing.first).kid)/retire",
            "/encryption-keys/{key}/retire":
                "/encryption-keys/\(try #require(encryption.first).id)/retire",
        ].mapValues { Self.root + $0 }
        return addresses.merging(["/remove": "/console/projects/qa/remove"]) { $1 }
    }

    @Test("a removal that cannot be restored requires the name, for every resource")
    func names() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let addresses = try await typed(house, &browser)
        #expect(Set(addresses.keys) == Set(Self.pages.filter { $0.value == .typed }.keys))
        try await house.give(.support, to: "bea", in: house.qa)
        let bea = try await house.pages.person("bea").id
        let paths = addresses.values + ["/console/administrators/\(bea)/qa/revoke"]
        for path in paths {
            let page = try await browser.get(path)
            #expect(page.status == .ok, "\(path)")
            #expect(page.text.contains("name=\"confirmation\""), "\(path)")
            #expect(page.text.contains("This can&#39;t be undone."), "\(path)")
            #expect(try await browser.submit(path, [:]).status == .conflict, "\(path)")
            let slip = try await browser.submit(
                path, ["seal": try house.seal(page), "confirmation": "something else"])
            #expect(slip.status == .conflict, "\(path)")
            #expect(try await browser.get(path).status == .ok, "\(path)")
            #expect(browser.cookies["gatehouse-console-removed"] == nil, "\(path)")
        }
    }
}
