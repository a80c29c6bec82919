// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// What the provider's own endpoints take: tokens for the provider (RFC 9068 section 4), and, where
/// they open an account, tokens that are bound to a key.
@Suite struct AudienceTests {
    private static let everything = "openid profile offline_access registration entitlements"

    private let house: OAuthHouse

    init() async throws { house = try await OAuthHouse(provesKeys: true) }

    private func add(_ change: (inout Client) -> Void = { _ in }) async throws {
        try await house.addClient("app") {
            $0.metadata.scope = Self.everything
            change(&$0)
        }
    }

    private func token(_ scope: String = everything) async throws -> String {
        let body = try await house.tokens("app", scope: scope)
        return try #require(body["access_token"]?.string)
    }

    /// Every operation that takes an access token, as the provider describes itself.
    private func operations() async throws -> [(method: HTTPRequest.Method, path: String)] {
        var found: [(method: HTTPRequest.Method, path: String)] = [(.get, "/userinfo")]
        for document in ["/registration/openapi.json", "/entitlements/openapi.json"] {
            let answer = try await house.get(document)
            let paths = try JSONParser.parseObject(answer.body, maximumBytes: 1_000_000)["paths"]
            for item in paths?.object?.members ?? [] {
                for operation in item.value.object?.members ?? []
                where operation.value["security"] == nil {
                    let method = try #require(HTTPRequest.Method(operation.name.uppercased()))
                    found.append(
                        (method, item.name.replacing("{", with: "").replacing("}", with: "")))
                }
            }
        }
        return found
    }

    /// Which operations do not refuse the token before anything else, whatever the body is.
    private func open(with token: String) async throws -> [String] {
        var open: [String] = []
        for (method, path) in try await operations() {
            for type in ["application/json", "text/plain"] {
                let answer = try await house.send(
                    method, path,
                    headers: [.authorization: "Bearer \(token)", .contentType: type])
                let challenge = answer.headers[.wwwAuthenticate] ?? ""
                guard answer.status == .unauthorized, challenge.contains("invalid_token") else {
                    open.append("\(method) \(path) \(type): \(answer.status) \(challenge)")
                    continue
                }
            }
        }
        return open
    }

    private func offerApprovals() async throws {
        var project = house.tenant.project
        project.policy.registration.approvals.enabled = true
        #expect(try await house.provider.store.projects.save(project))
        house.provider.tenants.invalidate()
    }

    @Test("Attack 70: no endpoint of the provider takes a token for another resource")
    func audience() async throws {
        try await offerApprovals()
        try await add { $0.metadata.audience = "https://api.example" }
        let token = try await token()
        #expect(try house.claims(of: token)["aud"] == "https://api.example")
        #expect(try await operations().count > 15)
        #expect(try await open(with: token) == [])
        // The resource that it is for may still ask about it.
        try await house.addClient("api") { $0.metadata.scope += " introspect" }
        #expect(try await house.isActive(token, for: "api"))
    }

    @Test("A token for the provider itself opens what its scopes say")
    func own() async throws {
        try await add()
        let token = try await token()
        #expect(try await house.userInfo(token).status == .ok)
        for path in ["/registration/installations", "/registration/passkeys", "/entitlements"] {
            let answer = try await house.get(path, headers: [.authorization: "Bearer \(token)"])
            #expect(answer.status == .ok, "\(path)")
        }
    }

    @Test(
        "Attack 77: an app that removes an administrator's last key does not lower the requirement")
    func lastKey() async throws {
        try await add()
        let (store, project) = (house.provider.store, house.tenant.project.id)
        func credential(_ kind: Credential.Kind) -> Credential {
            Credential(
                id: Identifier(now: house.clock.now, random: house.random), project: project,
                person: house.anna.id, kind: kind, externalID: house.random.bytes(32),
                publicPart: house.random.bytes(77), createdAt: house.clock.now)
        }
        let (key, password) = (credential(.publicKey), credential(.password))
        for credential in [key, password] { #expect(try await store.credentials.add(credential)) }
        let role = Administrator(
            id: Identifier(now: house.clock.now, random: house.random), person: house.anna.id,
            project: nil, role: .support, createdAt: house.clock.now)
        #expect(try await store.administrators.assign(role) == .assigned)
        let answer = try await house.send(
            .delete, "/registration/passkeys/\(key.id)",
            headers: [.authorization: "Bearer \(try await token())"])
        #expect(answer.status == .noContent)
        #expect(
            try await store.credentials.credentialsAwaitingApproval().map(\.id) == [password.id])
    }

    @Test("Attack 71: the scope registration is given to no one without a proven key")
    func unbound() async throws {
        let plain = try await OAuthHouse()
        try await plain.addClient("app") { $0.metadata.scope = Self.everything }
        let code = try await plain.code(
            "app", cookie: try await plain.signIn().cookie, ["scope": Self.everything])
        let refused = try await plain.redeem(code, by: "app")
        #expect(try plain.error(refused) == ErrorCode.invalidDPoPProof)
        // Nothing was consumed: with a proof the code is still valid.
        let name = try #require(HTTPField.Name("DPoP"))
        var headers = OAuthHouse.basic("app")
        headers[name] = try plain.prover.proof(.post, "/token", now: plain.clock.now)
        let form = [
            "grant_type": "authorization_code", "code": code,
            "redirect_uri": OAuthHouse.redirectURI, "code_verifier": OAuthHouse.verifier,
        ]
        let body = try plain.json(try await plain.post("/token", form, headers: headers))
        #expect(body["token_type"] == "DPoP")
        // Nor does a refresh without one.
        let refresh = try #require(body["refresh_token"]?.string)
        #expect(
            try plain.error(try await plain.refresh(refresh, by: "app"))
                == ErrorCode.invalidDPoPProof)
    }

    @Test(
        "Attack 71: a third-party client has the scope registration only if an administrator allows it"
    )
    func thirdParty() async throws {
        try await add { $0.metadata.firstParty = false }
        func granted() async throws -> String? {
            let (cookie, signedIn) = try await house.signIn()
            let client = try #require(
                try await house.provider.store.clients.client(
                    clientID: "app", in: house.tenant.project.id))
            try await house.provider.store.consents.save(
                Consent(
                    project: house.tenant.project.id, person: signedIn.person.id,
                    client: client.id, scope: Self.everything, givenAt: house.clock.now))
            let answer = try OAuthHouse.Answer(
                try await house.get(
                    "/authorize", house.request("app", ["scope": Self.everything]),
                    cookie: cookie))
            guard let code = answer.parameters["code"] else {
                return answer.parameters["error_description"]
            }
            return try house.json(try await house.redeem(code, by: "app"))["scope"]?.string
        }
        #expect(try await granted() == "The client may not have the scope registration.")
        try await house.change(client: "app") { $0.metadata.managesAccounts = true }
        #expect(try await granted() == Self.everything)
    }
}
