// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import PlatformSSO
import Testing

/// What an extension sets under Apple's names is what the requests of the system go by.
@Suite struct ConfigurationNamesTests {
    private typealias Configuration = ASAuthorizationProviderExtensionLoginConfiguration

    private func url(_ text: String) throws -> URL {
        try #require(URL(string: "https://idp.example.com/" + text))
    }

    private func make() throws -> Configuration {
        Configuration(
            clientID: "c", issuer: "i", tokenEndpointURL: try url("token"),
            jwksEndpointURL: try url("jwks"), audience: nil)
    }

    @Test("What goes along with one request goes along with that one, and with no other")
    func requestValues() throws {
        let configuration = try make()
        func item(_ name: String) -> [URLQueryItem] { [URLQueryItem(name: name, value: "1")] }
        configuration.customNonceRequestValues = item("nonce")
        configuration.customLoginRequestValues = item("login")
        configuration.customRefreshRequestValues = item("refresh")
        configuration.customKeyRequestValues = item("key")
        configuration.customKeyExchangeRequestValues = item("exchange")
        configuration.customFederationUserPreauthenticationRequestValues = item("who")
        configuration.federationUserPreauthenticationURL = try url("discovery")
        let checked = try configuration.checked()
        let message = Array("a.b.c".utf8)
        let forms: [(String, [FormField])] = [
            ("nonce", checked.nonceForm), ("login", checked.loginForm(message)),
            ("refresh", checked.refreshForm(message)), ("key", checked.keyRequestForm(message)),
            ("exchange", checked.keyExchangeForm(message)),
        ]
        for (name, form) in forms {
            #expect(form.filter { $0.value == "1" } == [FormField(name, "1")])
        }
        #expect(
            checked.preauthenticationURL(user: "anna")
                == "https://idp.example.com/discovery?user=anna&who=1")
        let again = Configuration(checked)
        #expect(again.customNonceRequestValues == item("nonce"))
        #expect(again.customRefreshRequestValues == item("refresh"))
        #expect(again.customKeyRequestValues == item("key"))
        #expect(again.customKeyExchangeRequestValues == item("exchange"))
        #expect(again.customFederationUserPreauthenticationRequestValues == item("who"))
    }

    @Test("Names of claims, scopes and federations are saved under the names that requests read")
    func names() throws {
        let configuration = try make()
        configuration.accountDisplayName = "Example"
        configuration.additionalScopes = "urn:a"
        configuration.additionalAuthorizationScopes = "urn:b"
        configuration.groupRequestClaimName = "ask"
        configuration.groupResponseClaimName = "roles"
        configuration.includePreviousRefreshTokenInLoginRequest = true
        configuration.previousRefreshTokenClaimName = "before"
        configuration.includePlatformSSOAuthorizationScopes = true
        configuration.customRequestJWTParameterName = "request"
        configuration.federationType = .dynamicOpenID
        configuration.fallbackFederationType = .openID
        configuration.federationRequestURN = "urn:federation"
        configuration.federationMEXURL = try url("mex")
        configuration.authorizationURL = try url("authorize")
        configuration.authorizationURLKeypath = "where"
        configuration.loginRequestEncryptionAPVPrefix = Data([7])
        let checked = try configuration.checked()
        #expect(checked.accountDisplayName == "Example")
        #expect(checked.additionalScopes == "urn:a")
        #expect(checked.additionalAuthorizationScopes == "urn:b")
        #expect(checked.groupRequestClaimName == "ask")
        #expect(checked.groupResponseClaimName == "roles")
        #expect(checked.includePreviousRefreshTokenInLoginRequest)
        #expect(checked.previousRefreshTokenClaimName == "before")
        #expect(checked.includePlatformSSOAuthorizationScopes)
        #expect(checked.loginForm([0x61]).contains(FormField("request", "a")))
        #expect(checked.webLoginType(isPage: false) == .dynamicOpenID)
        #expect(checked.fallbackFederationType == .openID)
        #expect(checked.federationRequestURN == "urn:federation")
        #expect(checked.federationMEXURL == "https://idp.example.com/mex")
        #expect(checked.authorizationURL == "https://idp.example.com/authorize")
        #expect(checked.authorizationURLKeypath == "where")
        #expect(checked.loginRequestEncryptionAPVPrefix == [7])
        #expect(try LoginConfiguration(json: checked.json) == checked)
    }

    @Test("What HPKE would need is kept by the object, and every HPKE is refused when it is saved")
    func hpke() throws {
        let configuration = try make()
        let key = Data(repeating: 1, count: 32)
        configuration.loginRequestHPKEPreSharedKey = key
        configuration.loginRequestHPKEPreSharedKeyID = Data([2])
        configuration.hpkePreSharedKey = key
        configuration.hpkePreSharedKeyID = Data([3])
        #expect(configuration.loginRequestHPKEPreSharedKey == key)
        #expect(configuration.loginRequestHPKEPreSharedKeyID == Data([2]))
        #expect(configuration.hpkePreSharedKey == key)
        #expect(configuration.hpkePreSharedKeyID == Data([3]))
        for algorithm in [
            ASAuthorizationProviderExtensionEncryptionAlgorithm.hpke_P256_SHA256_AES_GCM_256,
            .hpke_P384_SHA384_AES_GCM_256, .hpke_Curve25519_SHA256_ChachaPoly,
        ] {
            let configuration = try make()
            configuration.loginRequestEncryptionAlgorithm = algorithm
            #expect(throws: ASAuthorizationError.self) { try configuration.checked() }
        }
    }
}
