// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderAdministration
import ProviderCore
import ProviderSettings
import ProviderTokens
import Storage
import Support
import Testing

/// ID tokens and user info that only the client can read (OpenID Connect Core sections 5.3.2 and
/// 10.2, Dynamic Client Registration section 2).
@Suite struct ClientEncryptionTests {
    private let house: OAuthHouse

    init() async throws { house = try await OAuthHouse() }

    /// A key pair of a client's, which says what it is for.
    private func pair(
        _ algorithm: JWSAlgorithm = .es256, use: String? = "enc", id: String = "e1"
    ) throws -> PrivateJWK {
        try PrivateJWK.generate(for: algorithm).with(KeyParameters(keyID: id, use: use))
    }

    private func publish(_ keys: [PrivateJWK]) -> String {
        (["keys": .array(keys.map(\.publicKey.json))] as JSONValue).text
    }

    private func open(_ token: String, with key: PrivateJWK) throws -> DecryptedJWE {
        try JWEDecrypter(
            key: .privateKey(key), algorithms: ProviderMetadata.responseEncryptionAlgorithms
        ).decrypt(UnverifiedJWE(compact: token, maximumBytes: 65_536))
    }

    private func userInfo(_ token: String) async throws -> ServerResponse {
        try await house.get("/userinfo", headers: [.authorization: "Bearer \(token)"])
    }

    // MARK: What goes well

    @Test(
        "An ID token is signed, then encrypted to the client's key by what it has asked for",
        arguments: ProviderMetadata.responseEncryptionAlgorithms,
        [nil, "A128CBC-HS256", "A256CBC-HS512", "A128GCM", "A256GCM"])
    func idToken(algorithm: JWEAlgorithm, encryption: String?) async throws {
        let key = try pair(algorithm == .rsaOAEP256 ? .rs256 : .es256)
        let keys = publish([key])
        try await house.change(client: "shop") {
            $0.metadata.jwks = keys
            $0.metadata.idTokenEncryptedResponseAlg = algorithm.rawValue
            $0.metadata.idTokenEncryptedResponseEnc = encryption
        }
        let tokens = try await house.tokens()
        let sealed = try #require(tokens["id_token"]?.string)
        let opened = try open(sealed, with: key)
        #expect(opened.header.algorithm == algorithm.rawValue)
        #expect(opened.header.keyID == "e1")
        let header = try JSONParser.parseObject(
            Base64URL.decode(sealed.prefix { $0 != "." }.description) ?? [], maximumBytes: 4096)
        #expect(header["enc"]?.string == encryption ?? "A128CBC-HS256")
        #expect(header["cty"] == "JWT")
        let published = try await house.provider.keys.publishedKeys(of: house.tenant)
        let inner = try JWSVerifier(keys: published, algorithms: [.es256])
            .verify(compact: String(decoding: opened.plaintext, as: UTF8.self))
        let claims = try JSONParser.parseObject(inner.payload, maximumBytes: 65_536)
        #expect(claims["sub"]?.string == house.anna.id.description)
        #expect(claims["aud"] == "shop" && claims["nonce"] == "n-0S6_WzA2Mj")
        // What was not asked for goes as before: the access token, user info, and other clients.
        let access = try #require(tokens["access_token"]?.string)
        #expect(try house.claims(of: access)["sub"]?.string == house.anna.id.description)
        #expect(try await userInfo(access).headers[.contentType] == "application/json")
        let wikis = try #require(try await house.tokens("wiki")["id_token"]?.string)
        #expect(wikis.count { $0 == "." } == 2)
    }

    @Test("A refreshed ID token is encrypted like the first")
    func refreshed() async throws {
        let key = try pair()
        let keys = publish([key])
        try await house.change(client: "shop") {
            $0.metadata.jwks = keys
            $0.metadata.idTokenEncryptedResponseAlg = "ECDH-ES"
        }
        let refresh = try #require(try await house.tokens()["refresh_token"]?.string)
        let answer = try await house.post(
            "/token", ["grant_type": "refresh_token", "refresh_token": refresh],
            headers: OAuthHouse.basic("shop"))
        let token = try #require(try house.json(answer)["id_token"]?.string)
        #expect(try !open(token, with: key).plaintext.isEmpty)
    }

    @Test("User info is encrypted as application/jwt, for those who may have it alone")
    func userInfo() async throws {
        let key = try pair()
        let keys = publish([key])
        try await house.change(client: "shop") {
            $0.metadata.jwks = keys
            $0.metadata.userInfoEncryptedResponseAlg = "ECDH-ES+A256KW"
            $0.metadata.userInfoEncryptedResponseEnc = "A256GCM"
        }
        let tokens = try await house.tokens()
        // Of the two only user info was asked for.
        #expect(try #require(tokens["id_token"]?.string).count { $0 == "." } == 2)
        let access = try #require(tokens["access_token"]?.string)
        let answer = try await userInfo(access)
        #expect(answer.status == .ok && answer.headers[.contentType] == "application/jwt")
        #expect(answer.headers[.cacheControl] == "no-store")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(!text.contains("Anna"))
        let claims = try JSONParser.parseObject(
            try open(text, with: key).plaintext, maximumBytes: 65_536)
        #expect(claims["sub"]?.string == house.anna.id.description)
        #expect(claims["name"] == "Anna Johnson")
        let refused = try await userInfo(access + "x")
        #expect(refused.status == .unauthorized)
        #expect(refused.headers[.contentType] != "application/jwt")
    }

    @Test("Of several keys one that fits and says so is taken; one that signs never is")
    func choice() async throws {
        let (signing, rsa, curve) = (
            try pair(use: "sig", id: "s"), try pair(.rs256, id: "r"), try pair(id: "c")
        )
        let keys = publish([signing, rsa, curve])
        try await house.change(client: "shop") {
            $0.metadata.jwks = keys
            $0.metadata.idTokenEncryptedResponseAlg = "ECDH-ES"
        }
        let token = try #require(try await house.tokens()["id_token"]?.string)
        #expect(try open(token, with: curve).header.keyID == "c")
        #expect(throws: JOSEError.self) { try open(token, with: rsa) }
    }

    // MARK: What does not

    @Test("Who cannot have it encrypted as they want gets nothing in the clear")
    func unusable() async throws {
        let before = try #require(try await house.tokens()["access_token"]?.string)
        let signing = publish([try pair(use: "sig")])
        let unnamed = publish([try pair(use: nil)])
        for keys in [nil, signing, unnamed, "{}"] {
            try await house.change(client: "shop") {
                $0.metadata.jwks = keys
                $0.metadata.idTokenEncryptedResponseAlg = "ECDH-ES"
                $0.metadata.userInfoEncryptedResponseAlg = "ECDH-ES"
            }
            let cookie = try await house.signIn().cookie
            let code = try await house.code(cookie: cookie)
            let answer = try await house.redeem(code)
            #expect(answer.status == .serviceUnavailable)
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("id_token"))
            let info = try await userInfo(before)
            #expect(info.status == .serviceUnavailable)
            #expect(!String(decoding: info.body, as: UTF8.self).contains("Anna"))
        }
    }

    @Test("A wish that cannot be met is refused when it is made")
    func registration() throws {
        let key = publish([try pair()])
        let set = try JWKSet(bytes: Array(key.utf8))
        func obstacle(
            _ algorithm: String?, _ encryption: String?, _ keys: JWKSet?
        ) -> ClientEncryption.EncryptionRefusal? {
            guard
                case .failure(let obstacle) = ClientEncryption.wished(
                    algorithm, encryption, keys: keys)
            else { return nil }
            return obstacle
        }
        #expect(obstacle(nil, nil, nil) == nil && obstacle("ECDH-ES", nil, set) == nil)
        #expect(obstacle(nil, "A256GCM", set) == .encryptionAlone)
        for algorithm in ["RSA1_5", "RSA-OAEP", "dir", "A128KW", "none", "ecdh-es", ""] {
            #expect(obstacle(algorithm, nil, set) == .unknownAlgorithm, "\(algorithm)")
        }
        for encryption in ["A192GCM", "none", "a256gcm", ""] {
            #expect(obstacle("ECDH-ES", encryption, set) == .unknownEncryption, "\(encryption)")
        }
        #expect(obstacle("ECDH-ES", nil, nil) == .noKey)
        #expect(obstacle("RSA-OAEP-256", nil, set) == .noKey)
    }

    @Test("The Admin API says which member is wrong, and keeps nothing of it")
    func administration() throws {
        let keys = try JSONParser.parse(
            Array(publish([try pair(), try pair(use: "sig", id: "s")]).utf8), maximumBytes: 65_536)
        func complaint(_ members: [String: JSONValue]) -> String? {
            var client = JSONObject([
                .init(name: "client_id", value: "shop"),
                .init(name: "client_secret", value: "a secret that is long enough"),
                .init(name: "redirect_uris", value: ["https://shop.example/cb"]),
            ])
            for (name, value) in members.sorted(by: { $0.key < $1.key }) { client[name] = value }
            do {
                _ = try StateParser.parse([
                    "projects": [["name": "default", "clients": [.object(client)]]]
                ])
                return nil
            } catch { return error.problems.first.map { "\($0.path) \($0.message)" } ?? "" }
        }
        let wish: JSONValue = "ECDH-ES"
        #expect(complaint(["id_token_encrypted_response_alg": wish, "jwks": keys]) == nil)
        #expect(complaint(["userinfo_encrypted_response_alg": wish, "jwks": keys]) == nil)
        for (members, words) in [
            (["id_token_encrypted_response_alg": wish], "jwks"),
            (["userinfo_encrypted_response_alg": "RSA-OAEP-256", "jwks": keys], "jwks"),
            (["id_token_encrypted_response_alg": "RSA1_5", "jwks": keys], "response_alg"),
            (["userinfo_encrypted_response_enc": "A256GCM", "jwks": keys], "requires"),
            (
                [
                    "id_token_encrypted_response_alg": wish, "jwks": keys,
                    "id_token_encrypted_response_enc": "A192GCM",
                ], "response_enc"
            ),
        ] as [([String: JSONValue], String)] {
            #expect(complaint(members)?.contains(words) == true, "\(members.keys)")
        }
    }

    @Test("What is offered is announced, and nothing else")
    func announced() async throws {
        let document = try house.json(try await house.get("/.well-known/openid-configuration"))
        for kind in ["id_token", "userinfo"] {
            #expect(
                document["\(kind)_encryption_alg_values_supported"]?.strings
                    == ["ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A256KW", "RSA-OAEP-256"])
            #expect(
                document["\(kind)_encryption_enc_values_supported"]?.strings
                    == ["A128CBC-HS256", "A256CBC-HS512", "A128GCM", "A256GCM"])
        }
    }
}
