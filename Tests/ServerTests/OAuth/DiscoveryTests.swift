// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import IdentityProvider
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage
import Support
import Testing

/// `oidcc-config-certification-test-plan`, RFC 8414, and the life of keys.
@Suite("Discovery and keys")
struct DiscoveryTests {
    @Test("discovery-endpoint-verification: what the Config OP plan looks at")
    func configuration() async throws {
        let house = try await OAuthHouse()
        let response = try await house.get("/.well-known/openid-configuration")
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.headers[.accessControlAllowOrigin] == "*")
        let document = try house.json(response)
        #expect(document["issuer"]?.string == OAuthHouse.issuer)
        func list(_ name: String) -> [String] { document[name]?.strings ?? [] }
        #expect(list("scopes_supported").contains("openid"))
        #expect(list("response_types_supported") == ["code"])
        #expect(list("response_modes_supported") == ["query", "fragment", "form_post"])
        #expect(list("subject_types_supported") == ["public"])
        #expect(Set(list("id_token_signing_alg_values_supported")) == ["ES256", "RS256"])
        #expect(list("code_challenge_methods_supported") == ["S256"])
        #expect(list("claims_supported").contains("sub"))
        #expect(!list("grant_types_supported").contains("implicit"))
        #expect(document["claims_parameter_supported"]?.bool == true)
        #expect(document["request_parameter_supported"]?.bool == false)
        #expect(document["request_uri_parameter_supported"]?.bool == false)
        #expect(document["authorization_response_iss_parameter_supported"]?.bool == true)
    }

    @Test("every advertised endpoint exists")
    func endpointsExist() async throws {
        let house = try await OAuthHouse()
        let document = try house.json(
            try await house.get("/.well-known/openid-configuration"))
        let names = document.names.filter { $0.hasSuffix("_endpoint") || $0 == "jwks_uri" }
        #expect(names.count == 9)
        for name in names {
            let url = try #require(document[name]?.string)
            #expect(url.hasPrefix(OAuthHouse.issuer + "/"))
            let path = String(url.dropFirst(OAuthHouse.issuer.count))
            #expect(try await house.get(path).status != .notFound, "\(name)")
        }
    }

    @Test("RFC 8414: the same document, for projects in the inserted form too")
    func authorizationServerMetadata() async throws {
        let house = try await OAuthHouse()
        _ = try await house.addProject("acme")
        let openID = try await house.get("/.well-known/openid-configuration").body
        let oauth = try await house.get("/.well-known/oauth-authorization-server").body
        #expect(openID == oauth)
        let inside = try await house.get("/p/acme/.well-known/openid-configuration")
        let inserted = try await house.get("/.well-known/oauth-authorization-server/p/acme")
        #expect(inside.body == inserted.body)
        #expect(try house.json(inserted)["issuer"]?.string == OAuthHouse.issuer + "/p/acme")
        let unknown = try await house.get("/.well-known/oauth-authorization-server/p/none")
        #expect(unknown.status == .notFound)
    }

    @Test("/.well-known/gatehouse names everything else")
    func gatehouseDocument() async throws {
        let house = try await OAuthHouse()
        let document = try house.json(try await house.get("/.well-known/gatehouse"))
        for name in ["registration", "webauthn", "platform_sso", "admin"] {
            let members = try #require(document[name]?.object)
            #expect(
                members.members.allSatisfy {
                    $0.name == "methods"
                        || $0.value.string?.hasPrefix(OAuthHouse.issuer + "/") == true
                })
        }
    }

    @Test("/.well-known/gatehouse names the registration methods of the project, as they are now")
    func methods() async throws {
        let house = try await OAuthHouse()
        func named() async throws -> [String]? {
            let document = try house.json(try await house.get("/.well-known/gatehouse"))
            return document["registration"]?["methods"]?.strings
        }
        #expect(try await named() == ["signedJWT", "testKey", "oidc"])
        var project = house.tenant.project
        project.policy.registration.methods = ["oidc"]
        #expect(try await house.provider.store.projects.save(project))
        house.provider.tenants.invalidate()
        #expect(try await named() == ["oidc"])
    }

    @Test("keys: unique kid, use, alg, no private part; each project has its own")
    func keySet() async throws {
        let house = try await OAuthHouse()
        _ = try await house.addProject("acme")
        let document = try house.json(try await house.get("/jwks"))
        let keys = try #require(document["keys"]?.array)
        // The current and the next key, each with a separate key for upstream providers; and the
        // key for PIN proofs.
        #expect(keys.count == 5)
        #expect(Set(keys.compactMap { $0["kid"]?.string }).count == 5)
        #expect(keys.map { $0["use"]?.string } == ["sig", "sig", "sig", "sig", "enc"])
        #expect(keys.last?["alg"]?.string == "gatehouse-pin2-proof")
        for key in keys.dropLast() { #expect(key["alg"]?.string == "ES256") }
        for key in keys {
            for secret in ["d", "p", "q", "k"] { #expect(key[secret] == nil) }
        }
        let acme = try await house.get("/p/acme/jwks")
        #expect(acme.status == .ok)
        let ours = try await house.get("/jwks")
        #expect(acme.body != ours.body)
    }

    @Test("server-rotate-keys: the next key signs, the old one still verifies until retired")
    func rotation() async throws {
        let house = try await OAuthHouse()
        let before = try #require(try await house.tokens()["access_token"]?.string)
        func kid(_ token: String) throws -> String {
            try #require(try UnverifiedJWS(compact: token).signatures.first?.header.keyID)
        }
        let announced = try JWKSet(bytes: try await house.get("/jwks").body)
        #expect(try await house.provider.keys.rotate(.es256, of: house.tenant) == .rotated)
        let after = try #require(try await house.tokens()["access_token"]?.string)
        #expect(try kid(before) != kid(after))
        #expect(announced.key(id: try kid(after)) != nil)
        #expect(try await house.isActive(before))
        // Each with one for assertions; and the key for PIN proofs.
        #expect(try JWKSet(bytes: try await house.get("/jwks").body).keys.count == 7)
        #expect(try await house.provider.keys.retire(kid: try kid(before), of: house.tenant))
        #expect(try await !house.isActive(before))
        #expect(try await house.isActive(after))
    }

    @Test("private keys are sealed: nothing readable in the store, nothing that another opens")
    func sealedKeys() async throws {
        let house = try await OAuthHouse()
        let keys = try await house.provider.store.signingKeys.signingKeys(
            of: house.tenant.project.id)
        let key = try #require(keys.first)
        #expect(!String(decoding: key.sealedPrivateKey, as: UTF8.self).contains("\"d\""))
        #expect(throws: (any Error).self) {
            try house.provider.secrets.open(
                key.sealedPrivateKey, context: "signing-key/\(key.project)/other")
        }
    }

    @Test("ensureDefaults twice at once makes one project, one client, two keys")
    func setUpTwice() async throws {
        let house = try await OAuthHouse()
        let before = try await house.provider.store.signingKeys.signingKeys(
            of: house.tenant.project.id)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { try await ProviderBootstrap.ensureDefaults(house.provider) }
            }
            try await group.waitForAll()
        }
        let store = house.provider.store
        #expect(try await store.signingKeys.signingKeys(of: house.tenant.project.id) == before)
        let clients = try await store.clients.clients(
            of: house.tenant.project.id, after: nil, limit: 10)
        #expect(clients.map(\.clientID).sorted() == ["gatehouse-cli", "shop", "wiki"])
    }

    @Test("every accepted and refused ceremony leaves its event")
    func audit() async throws {
        let house = try await OAuthHouse()
        let code = try await house.code(cookie: try await house.signIn().cookie)
        _ = try await house.redeem(code)
        _ = try await house.redeem(code)
        _ = try await house.post(
            "/token", ["grant_type": "client_credentials"], headers: OAuthHouse.basic("shop"))
        await house.provider.audit.flush()
        let events = try await house.provider.store.auditLog.auditEvents(
            AuditFilter(), before: nil, limit: 100)
        func has(_ action: String, _ code: String?) -> Bool {
            events.contains {
                $0.action == action && $0.code == code && $0.clientID == "shop"
            }
        }
        #expect(has("authorization", nil))
        #expect(has("token.authorization_code", nil))
        #expect(has("token.authorization_code", "invalid_grant"))
        #expect(has("token.client_credentials", nil))
    }
}
