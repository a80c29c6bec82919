// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Testing

/// The stored form of configurations: exactly what is written is read.
@Suite struct ConfigurationJSONTests {
    /// Every property with a distinct value.
    private static func full() throws -> LoginConfiguration {
        let key = try PrivateJWK.generate(for: .es256).publicKey
        var configuration = LoginConfiguration(
            clientID: "c", issuer: "https://i.example", tokenEndpointURL: "https://i.example/t",
            jwksEndpointURL: "https://i.example/k", audience: "a")
        configuration.accountDisplayName = "Example"
        configuration.invalidCredentialPredicate = try ResponsePredicate("error = 'x'")
        configuration.nonceEndpointURL = "https://i.example/n"
        configuration.nonceResponseKeypath = "a.b"
        configuration.serverNonceClaimName = "sn"
        configuration.customNonceRequestValues = [FormField("a", "1"), FormField("a", "2")]
        configuration.additionalScopes = "s"
        configuration.additionalAuthorizationScopes = "as"
        configuration.includePreviousRefreshTokenInLoginRequest = true
        configuration.previousRefreshTokenClaimName = "p"
        configuration.customLoginRequestValues = [FormField("b", "")]
        configuration.customLoginRequestClaims.header["h"] = 1
        configuration.customAssertionRequestClaims.body["b"] = [1, "x", .null]
        configuration.kerberosTicketMappings = [KerberosTicketMapping(ticketKeyPath: "tgt")]
        configuration.federationType = .dynamicWSTrust
        configuration.federationRequestURN = "urn:x"
        configuration.federationMEXURL = "https://i.example/mex"
        configuration.federationUserPreauthenticationURL = "https://i.example/pre"
        configuration.federationMEXURLKeypath = "m"
        configuration.federationPredicate = try ResponsePredicate("a = 1")
        configuration.customRequestJWTParameterName = "request"
        configuration.jwksTrustedRootCertificates = [[0x30, 0x00]]
        configuration.deviceContext = [1, 2, 3]
        configuration.uniqueIdentifierClaimName = "uid"
        configuration.groupRequestClaimName = "g"
        configuration.groupResponseClaimName = "gr"
        configuration.refreshEndpointURL = "https://i.example/r"
        configuration.customRefreshRequestClaims.body["r"] = true
        configuration.loginRequestEncryptionPublicKey = key
        configuration.loginRequestEncryptionAPVPrefix = [7]
        configuration.loginRequestEncryptionAlgorithm = .hpkeP256SHA256AESGCM256
        configuration.hpkePreSharedKey = Secret("psk")
        configuration.hpkePreSharedKeyID = [9]
        configuration.hpkeAuthPublicKey = key
        configuration.keyEndpointURL = "https://i.example/key"
        configuration.customKeyRequestValues = [FormField("k", "v")]
        configuration.customKeyExchangeRequestClaims.header["x"] = "y"
        configuration.userSecureEnclaveKeyBiometricPolicy = [.touchIDOrWatchAny]
        configuration.authorizationURL = "https://i.example/login"
        configuration.fallbackFederationType = .openID
        configuration.includePlatformSSOAuthorizationScopes = true
        return configuration
    }

    @Test("Every property survives")
    func survives() throws {
        let configuration = try Self.full()
        #expect(try LoginConfiguration(json: configuration.json) == configuration)
        let text = configuration.json.bytes
        let parsed = try JSONParser.parseObject(text, maximumBytes: 65_536)
        #expect(try LoginConfiguration(json: parsed) == configuration)
    }

    @Test("What is left out has its default")
    func defaults() throws {
        let plain = LoginConfiguration(
            clientID: "c", issuer: "i", tokenEndpointURL: "t", jwksEndpointURL: "k")
        let least: JSONObject = JSONObject(
            ["clientID", "issuer", "tokenEndpointURL", "jwksEndpointURL"].compactMap { name in
                plain.json[name].map { .init(name: name, value: $0) }
            })
        #expect(try LoginConfiguration(json: least) == plain)
    }

    @Test(
        "Members that are missing, malformed or unknown are refused",
        arguments: [
            ("clientID", nil, .claimMissing), ("issuer", nil, .claimMissing),
            ("tokenEndpointURL", nil, .claimMissing), ("jwksEndpointURL", nil, .claimMissing),
            ("clientID", 7, .claimMalformed), ("audience", [], .claimMalformed),
            ("invalidCredentialPredicate", "((", .claimMalformed),
            ("customNonceRequestValues", [["a"]], .claimMalformed),
            ("kerberosTicketMappings", [["ticketKeyPath": "a"]], .claimMalformed),
            ("federationType", "magic", .claimMalformed),
            ("jwksTrustedRootCertificates", ["*"], .claimMalformed),
            ("loginRequestEncryptionPublicKey", ["kty": "EC"], .claimMalformed),
            ("userSecureEnclaveKeyBiometricPolicy", 16, .claimMalformed),
            ("customLoginRequestClaims", ["header": [:]], .claimMalformed),
            ("surprise", true, .claimMalformed),
        ] as [(String, JSONValue?, PlatformSSORefusal.Code)])
    func refusals(name: String, value: JSONValue?, code: PlatformSSORefusal.Code) throws {
        var json = try Self.full().json
        json[name] = value
        do throws(PlatformSSORefusal) {
            _ = try LoginConfiguration(json: json)
            Issue.record("it was accepted")
        } catch { #expect(error.code == code) }
    }

    @Test("A person's configuration survives, and needs a name")
    func person() throws {
        var user = UserLoginConfiguration(loginUserName: "anna")
        user.customLoginRequestClaims.body["a"] = 1
        #expect(try UserLoginConfiguration(json: user.json) == user)
        #expect(throws: PlatformSSORefusal.self) { try UserLoginConfiguration(json: JSONObject()) }
        #expect(throws: PlatformSSORefusal.self) {
            try UserLoginConfiguration(json: JSONObject([.init(name: "loginUserName", value: "")]))
        }
    }
}
