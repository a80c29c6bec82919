// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing

@testable import HTTPServer

/// A provider whose issuer has a path, with two projects and an app in each.
struct IssuerPathHouse {
    static let issuer = "https://h.example/auth"
    static let redirectURI = "https://shop.example.com/callback"
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let password = "correct horse battery staple"

    let pages: PagesHouse

    init() async throws {
        pages = try await PagesHouse(issuer: Self.issuer, isWhole: true, policy: Self.policy)
        let qa = Project(
            id: Identifier(now: pages.clock.now, random: pages.random), name: "qa",
            environment: .development, policy: Self.policy, createdAt: pages.clock.now)
        #expect(try await pages.provider.store.projects.save(qa))
        for project in [pages.project, qa] { try await addClient(in: project) }
    }

    /// With Platform SSO for machines that are being set up.
    private static var policy: ProjectPolicy {
        var policy = ProjectPolicy()
        policy.platformSSO.enabled = true
        policy.platformSSO.setupAssistant.team = "ABCDE12345"
        policy.platformSSO.setupAssistant.extensionIdentifier = "com.example.app.sso"
        policy.platformSSO.setupAssistant.app = "com.example.app"
        policy.platformSSO.setupAssistant.manifestURL = "https://mdm.example.com/app.plist"
        return policy
    }

    private func addClient(in project: Project) async throws {
        var client = Client(
            id: Identifier(now: pages.clock.now, random: pages.random), project: project.id,
            clientID: "shop", metadata: ClientMetadata(),
            secretHash: pages.provider.secrets.hash("secret".utf8, for: .clientSecret),
            createdAt: pages.clock.now)
        client.metadata.grantTypes = ["authorization_code"]
        client.metadata.redirectURIs = [Self.redirectURI]
        client.metadata.postLogoutRedirectURIs = ["https://shop.example.com/bye"]
        client.metadata.scope = "openid profile"
        client.metadata.firstParty = true
        client.metadata.idTokenSignedResponseAlg = "ES256"
        #expect(try await pages.provider.store.clients.save(client, now: pages.clock.now))
    }

    func browser() -> Browser {
        var browser = pages.browser()
        browser.isSecure = true
        return browser
    }

    /// A browser that has just registered.
    ///
    /// - Parameter place: the prefix of every path.
    func registered(_ name: String, at place: String) async throws -> Browser {
        var browser = browser()
        _ = try await browser.get(place + "/register")
        let answer = try await browser.submit(
            place + "/register", ["username": name, "password": Self.password])
        #expect(answer.location == place + "/register/passkey")
        return browser
    }

    static func request(_ change: [String: String] = [:]) -> String {
        let parameters = [
            "response_type": "code", "client_id": "shop", "redirect_uri": redirectURI,
            "scope": "openid profile", "state": "s", "nonce": "n",
            "code_challenge": CodeChallenge.s256(of: verifier), "code_challenge_method": "S256",
        ].merging(change) { $1 }
        return "/authorize?"
            + FormEncoding.encode(parameters.map { (name: $0.key, value: $0.value) })
    }

    /// The tokens for a code.
    func tokens(for code: String, at place: String) async throws -> JSONObject {
        let form = FormEncoding.encode([
            (name: "grant_type", value: "authorization_code"), (name: "code", value: code),
            (name: "redirect_uri", value: Self.redirectURI),
            (name: "code_verifier", value: Self.verifier),
        ])
        var app = browser()
        let answer = try await app.send(
            .post, place + "/token",
            headers: [
                .contentType: FormParameters.mediaType,
                .authorization: "Basic " + Base64.encode(Array("shop:secret".utf8)),
            ], body: Array(form.utf8))
        return try JSONParser.parseObject(answer.response.body, maximumBytes: 65_536)
    }

    static func json(_ answer: Answer) throws -> JSONObject {
        try JSONParser.parseObject(answer.response.body, maximumBytes: 4_194_304)
    }

    static func claims(of jwt: String?) throws -> JSONObject {
        let parts = try #require(jwt).split(separator: ".")
        return try JSONParser.parseObject(
            try #require(Base64URL.decode(parts[1])), maximumBytes: 65_536)
    }
}

extension Answer {
    /// Every address in the page that begins at the root of the host.
    var addresses: [String] {
        text.matches(of: #/(?:href|src|action|data-prefix)="(\/[^"]*)"/#).map { String($0.1) }
    }
}
