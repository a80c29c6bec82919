// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// How clients prove themselves, and how they do not.
@Suite("Client authentication")
struct ClientAuthenticationTests {
    private func machineToken(
        _ house: OAuthHouse, _ form: [String: String] = [:], headers: HTTPFields = [:]
    ) async throws -> ServerResponse {
        try await house.post(
            "/token", form.merging(["grant_type": "client_credentials"]) { $1 },
            headers: headers)
    }

    @Test("client_secret_basic undoes the form encoding of both parts")
    func basicEncoding() async throws {
        let house = try await OAuthHouse()
        let secret = "p+q%r:s t&ü"
        try await house.addClient("a:b c") {
            $0.secretHash = house.provider.secrets.hash(secret.utf8, for: .clientSecret)
        }
        let answer = try await machineToken(house, headers: OAuthHouse.basic("a:b c", secret))
        #expect(answer.status == .ok)
    }

    @Test("a wrong secret is 401 with a challenge when the header was used")
    func wrongSecret() async throws {
        let house = try await OAuthHouse()
        for headers in [
            OAuthHouse.basic("shop", "wrong"), OAuthHouse.basic("shop", ""),
            OAuthHouse.basic("nobody"), OAuthHouse.basic("shop", "secret of wiki"),
        ] {
            let answer = try await machineToken(house, headers: headers)
            #expect(answer.status == .unauthorized)
            #expect(try house.error(answer) == "invalid_client")
            #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Basic ") == true)
        }
    }

    @Test("headers that are not Basic, or cannot be read, are invalid_client")
    func brokenHeaders() async throws {
        let house = try await OAuthHouse()
        for value in [
            "Basic", "Basic !!!!", "Basic c2hvcA==", "Bearer abc", "Basic Og==",
            "Basic " + String(repeating: "QQ==", count: 4000), "basic  c2hvcDp4",
            "Basic " + Base64.encode(Array("sh%4:x".utf8)),
            "Basic " + Base64.encode(Array("sh%00op:x".utf8)),
        ] {
            let answer = try await machineToken(house, headers: [.authorization: value])
            #expect(answer.status == .unauthorized, "\(value.prefix(40))")
        }
    }

    @Test("two ways at once are invalid_request, even when both are right")
    func twoWays() async throws {
        let house = try await OAuthHouse()
        let secret = OAuthHouse.secret(of: "shop")
        let basic = OAuthHouse.basic("shop")
        for form in [
            ["client_id": "shop", "client_secret": secret],
            ["client_assertion": "a.b.c"],
            ["client_assertion_type": PresentedClient.assertionType],
            ["client_id": "wiki"],
        ] {
            let answer = try await machineToken(house, form, headers: basic)
            #expect(try house.error(answer) == "invalid_request")
        }
        let both = try await machineToken(
            house,
            [
                "client_id": "shop", "client_secret": secret, "client_assertion": "a.b.c",
                "client_assertion_type": PresentedClient.assertionType,
            ])
        #expect(try house.error(both) == "invalid_request")
    }

    @Test("only the registered method works, also with a right secret")
    func otherMethod() async throws {
        let house = try await OAuthHouse()
        let posted = try await machineToken(
            house, ["client_id": "shop", "client_secret": OAuthHouse.secret(of: "shop")])
        #expect(try house.error(posted) == "invalid_client")
        let bare = try await machineToken(house, ["client_id": "shop"])
        #expect(try house.error(bare) == "invalid_client")
        let nobody = try await machineToken(house)
        #expect(try house.error(nobody) == "invalid_client")
        try await house.addClient("odd") { $0.metadata.tokenEndpointAuthMethod = "tls" }
        let odd = try await machineToken(house, headers: OAuthHouse.basic("odd"))
        #expect(try house.error(odd) == "invalid_client")
    }

    @Test("a client without a stored secret cannot use the empty one")
    func noSecret() async throws {
        let house = try await OAuthHouse()
        try await house.addClient("bare") { $0.secretHash = nil }
        let answer = try await machineToken(house, headers: OAuthHouse.basic("bare", ""))
        #expect(try house.error(answer) == "invalid_client")
    }

    @Test("a public client cannot act for itself, nor introspect")
    func publicClient() async throws {
        let house = try await OAuthHouse()
        try await house.addClient("app") { $0.metadata.tokenEndpointAuthMethod = "none" }
        let machine = try await machineToken(house, ["client_id": "app"])
        #expect(try house.error(machine) == "unauthorized_client")
        let look = try await house.post("/introspect", ["token": "x", "client_id": "app"])
        #expect(look.status == .unauthorized)
    }

    // MARK: private_key_jwt

    private struct Signer {
        let key: PrivateJWK
        let signer: JOSESigner

        init(_ algorithm: JWSAlgorithm = .es256) throws {
            key = try PrivateJWK.generate(for: algorithm)
            signer = try JOSESigner(key)
        }

        var jwks: String { #"{"keys":[\#(key.publicKey.json.text)]}"# }
    }

    private func house(with signer: Signer) async throws -> OAuthHouse {
        let house = try await OAuthHouse()
        try await house.addClient("signs") {
            $0.metadata.tokenEndpointAuthMethod = "private_key_jwt"
            $0.metadata.jwks = signer.jwks
            $0.secretHash = nil
        }
        return house
    }

    private func claims(
        _ house: OAuthHouse, _ change: [String: JSONValue?] = [:]
    ) -> [UInt8] {
        let now = house.clock.now.seconds
        var claims = JSONObject()
        claims["iss"] = "signs"
        claims["sub"] = "signs"
        claims["aud"] = .string(OAuthHouse.issuer)
        claims["iat"] = .integer(now)
        claims["exp"] = .integer(now + 60)
        claims["jti"] = .string("jti-\(change.count)-\(now)")
        for (name, value) in change { claims[name] = value }
        return claims.bytes
    }

    private func present(
        _ house: OAuthHouse, _ assertion: String, _ more: [String: String] = [:]
    ) async throws -> ServerResponse {
        try await machineToken(
            house,
            [
                "client_assertion": assertion,
                "client_assertion_type": PresentedClient.assertionType,
            ].merging(more) { $1 })
    }

    private func sign(
        _ signer: Signer, _ payload: [UInt8], typ: String = "JWT"
    ) throws -> String {
        String(decoding: try signer.signer.sign(payload: payload, typ: typ), as: UTF8.self)
    }

    @Test(
        "ensure-client-assertion-with-iss-aud-succeeds",
        arguments: [JWSAlgorithm.es256, .rs256, .ps256, .edDSA])
    func assertion(algorithm: JWSAlgorithm) async throws {
        let signer = try Signer(algorithm)
        let house = try await house(with: signer)
        let answer = try await present(house, try sign(signer, claims(house)))
        #expect(answer.status == .ok)
        let typed = try sign(
            signer, claims(house, ["jti": "2"]), typ: "client-authentication+jwt")
        #expect(try await present(house, typed, ["client_id": "signs"]).status == .ok)
    }

    @Test("Times of an assertion may have a fraction (RFC 7519 section 2)")
    func fractions() async throws {
        let signer = try Signer()
        let house = try await house(with: signer)
        let now = Double(house.clock.now.seconds)
        let fraction = try sign(
            signer, claims(house, ["iat": .number(now + 0.25), "exp": .number(now + 60.75)]))
        #expect(try await present(house, fraction).status == .ok)
        let again = try await present(house, fraction)
        #expect(try house.error(again) == "invalid_client")
        for wrong in [1e300, -1e300, now - 300.5] {
            let text = try sign(signer, claims(house, ["exp": .number(wrong)]))
            #expect(try house.error(try await present(house, text)) == "invalid_client")
        }
    }

    @Test("Attack 12: an assertion works once, on every node")
    func replay() async throws {
        let signer = try Signer()
        let house = try await house(with: signer)
        let assertion = try sign(signer, claims(house))
        let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { try await present(house, assertion).status == .ok }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes == 1)
        #expect(try house.error(try await present(house, assertion)) == "invalid_client")
    }

    @Test(
        "Attack 13: the token endpoint is an audience too, but not of a client that always proves its key"
    )
    func tokenEndpointAudience() async throws {
        let signer = try Signer()
        let house = try await house(with: signer)
        let change: [String: JSONValue?] = ["aud": .string(OAuthHouse.issuer + "/token")]
        #expect(
            try await present(house, try sign(signer, claims(house, change))).status == .ok)
        try await house.change(client: "signs") { $0.metadata.bindsAccessTokens = true }
        let refused = try await present(house, try sign(signer, claims(house, change)))
        #expect(try house.error(refused) == "invalid_client")
    }

    @Test("An assertion lives an hour, and five minutes of a client that always proves its key")
    func assertionLifetime() async throws {
        let signer = try Signer()
        let house = try await house(with: signer)
        let change: [String: JSONValue?] = ["exp": .integer(house.clock.now.seconds + 3600)]
        #expect(
            try await present(house, try sign(signer, claims(house, change))).status == .ok)
        try await house.change(client: "signs") { $0.metadata.bindsAccessTokens = true }
        let refused = try await present(house, try sign(signer, claims(house, change)))
        #expect(try house.error(refused) == "invalid_client")
    }

    @Test("Attack 13: aud as array, other address, other issuer, or missing: refused")
    func audience() async throws {
        let signer = try Signer()
        let house = try await house(with: signer)
        let audiences: [JSONValue?] = [
            [.string(OAuthHouse.issuer)], .string(OAuthHouse.issuer + "/revoke"),
            [.string(OAuthHouse.issuer + "/token")], .string(OAuthHouse.issuer + "/token/"),
            .string(OAuthHouse.issuer + "/"), "https://other.example.com", nil, 1,
            .string(OAuthHouse.issuer.uppercased()),
        ]
        for audience in audiences {
            let answer = try await present(
                house, try sign(signer, claims(house, ["aud": audience])))
            #expect(try house.error(answer) == "invalid_client", "\(String(describing: audience))")
        }
    }

    @Test("exp, nbf, iat, jti, iss and sub are all looked at")
    func assertionClaims() async throws {
        let signer = try Signer()
        let house = try await house(with: signer)
        let now = house.clock.now.seconds
        let changes: [[String: JSONValue?]] = [
            ["exp": nil], ["exp": .integer(now - 300)], ["exp": .integer(now + 7200)],
            ["exp": .string("\(now + 60)")], ["nbf": .integer(now + 120)],
            ["iat": .integer(now + 120)], ["jti": nil], ["jti": ""], ["jti": 1],
            ["iss": nil], ["sub": nil], ["iss": "shop"], ["sub": "shop"],
        ]
        for change in changes {
            let answer = try await present(house, try sign(signer, claims(house, change)))
            #expect(try house.error(answer) == "invalid_client", "\(change)")
        }
        let skewed = try await present(
            house, try sign(signer, claims(house, ["nbf": .integer(now + 8)])))
        #expect(skewed.status == .ok)
    }

    @Test("Attack 14: a client that signs cannot fall back to a secret")
    func downgrade() async throws {
        let signer = try Signer()
        let house = try await house(with: signer)
        try await house.change(client: "signs") {
            $0.secretHash = house.provider.secrets.hash("known".utf8, for: .clientSecret)
        }
        let basic = try await machineToken(house, headers: OAuthHouse.basic("signs", "known"))
        #expect(try house.error(basic) == "invalid_client")
        let bare = try await machineToken(house, ["client_id": "signs"])
        #expect(try house.error(bare) == "invalid_client")
    }

    @Test("Attack 15, 16: HS256 with the public key, none, case variants, cut signatures: refused")
    func algorithms() async throws {
        let signer = try Signer()
        let house = try await house(with: signer)
        let payload = Base64URL.encode(claims(house))
        let right = try sign(signer, claims(house))
        let parts = right.split(separator: ".")
        var attempts = ["\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])", "..", "a.b.c"]
        for header in [
            #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"nOnE"}"#, #"{"alg":"es256"}"#,
            #"{"alg":"ES256 "}"#,
        ] {
            attempts.append("\(Base64URL.encode(Array(header.utf8))).\(payload).")
            attempts.append("\(Base64URL.encode(Array(header.utf8))).\(payload).\(parts[2])")
        }
        let header = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8))
        let input = Array("\(header).\(payload)".utf8)
        let publicKey = SymmetricKey(data: Array(signer.key.publicKey.json.text.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: input, using: publicKey)
        attempts.append("\(header).\(payload).\(Base64URL.encode(Array(code)))")
        for attempt in attempts {
            let answer = try await present(house, attempt, ["client_id": "signs"])
            #expect(try house.error(answer) == "invalid_client", "\(attempt.prefix(40))")
        }
    }

    @Test("Attack 17, 18, 19: keys in the header, crit, b64 and encrypted wrappers: refused")
    func headerTricks() async throws {
        let signer = try Signer()
        let attacker = try Signer()
        let house = try await house(with: signer)
        let header: [JSONObject.Member] = [
            .init(name: "jwk", value: attacker.key.publicKey.json),
            .init(name: "jku", value: "https://evil.example.com/jwks"),
        ]
        let embedded = try attacker.signer.sign(
            payload: claims(house), typ: "JWT", header: header)
        let crit = try signer.signer.sign(
            payload: claims(house), typ: "JWT",
            header: [.init(name: "crit", value: ["exp"]), .init(name: "exp", value: 1)])
        let b64 = try signer.signer.sign(
            payload: claims(house), typ: "JWT",
            header: [.init(name: "b64", value: false), .init(name: "crit", value: ["b64"])])
        for assertion in [embedded, crit, b64] {
            let answer = try await present(house, String(decoding: assertion, as: UTF8.self))
            #expect(try house.error(answer) == "invalid_client")
        }
        let five = try await present(house, "a.b.c.d.e", ["client_id": "signs"])
        #expect(try house.error(five) == "invalid_client")
    }

    @Test(
        "Attack 63: issued tokens are not accepted as client assertions, even under the client's own key"
    )
    func wrongType() async throws {
        let signer = try Signer()
        let house = try await house(with: signer)
        for typ in ["at+jwt", "logout+jwt", "dpop+jwt", "secevent+jwt"] {
            let answer = try await present(
                house, try sign(signer, claims(house, ["jti": .string(typ)]), typ: typ))
            #expect(try house.error(answer) == "invalid_client")
        }
    }

    @Test("an assertion under another client's key, or with another type, is refused")
    func otherKey() async throws {
        let signer = try Signer()
        let house = try await house(with: signer)
        let foreign = try sign(try Signer(), claims(house))
        #expect(try house.error(try await present(house, foreign)) == "invalid_client")
        let saml = try await machineToken(
            house,
            [
                "client_assertion": try sign(signer, claims(house)),
                "client_assertion_type":
                    "urn:ietf:params:oauth:client-assertion-type:saml2-bearer",
            ])
        #expect(try house.error(saml) == "invalid_request")
    }

    @Test("a client without readable keys cannot sign in with any")
    func unreadableKeys() async throws {
        let signer = try Signer()
        let house = try await house(with: signer)
        for jwks in [nil, "", "{}", "x", #"{"keys":[]}"#] {
            try await house.change(client: "signs") { $0.metadata.jwks = jwks }
            let answer = try await present(
                house, try sign(signer, claims(house, ["jti": .string(jwks ?? "nil")])))
            #expect(try house.error(answer) == "invalid_client")
        }
    }
}
