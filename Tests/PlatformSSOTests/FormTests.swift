// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Testing

@Suite("Forms, nonces and groups")
struct FormTests {
    private let jwtBearer = FormField("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")
    private let version = FormField("platform_sso_version", "1.0")

    @Test("The question for a nonce")
    func nonce() throws {
        var configuration = TestParties.configuration
        configuration.customNonceRequestValues = [FormField("tenant", "a")]
        #expect(try RequestForm(configuration.nonceForm) == .nonce)
        #expect(configuration.nonceForm.last == FormField("tenant", "a"))
        #expect(configuration.nonceURL == configuration.tokenEndpointURL)
    }

    @Test("The parameter of the message: assertion, request of macOS 13, and a configured one")
    func messageParameter() throws {
        let fields = [version, jwtBearer, FormField("assertion", "m")]
        #expect(try RequestForm(fields) == .request(.v1, message: "m"))
        let old = [version, jwtBearer, FormField("request", "m")]
        #expect(try RequestForm(old) == .request(.v1, message: "m"))
        let own = [version, jwtBearer, FormField("jwt", "m")]
        #expect(try RequestForm(own, messageParameter: "jwt") == .request(.v1, message: "m"))
    }

    @Test("Forms that are refused")
    func refused() {
        let message = FormField("assertion", "m")
        let wrong: [([FormField], PlatformSSORefusal.Code)] = [
            ([], .grantUnsupported), ([version, message], .grantUnsupported),
            ([version, FormField("grant_type", "password"), message], .grantUnsupported),
            ([jwtBearer, message], .versionUnsupported), ([version, jwtBearer], .formMalformed),
            ([version, jwtBearer, message, message], .formMalformed),
            ([version, version, jwtBearer, message], .formMalformed),
            ([version, jwtBearer, message, FormField("request", "n")], .formMalformed),
        ]
        for (fields, expected) in wrong {
            #expect(code { _ = try RequestForm(fields) } == expected)
        }
    }

    @Test("The answer with the nonce, at its place and at another")
    func answers() throws {
        #expect(NonceExchange.answer("AwAB\"") == Array(#"{"Nonce":"AwAB\""}"#.utf8))
        #expect(try NonceExchange.nonce(in: NonceExchange.answer("AwAB")) == "AwAB")
        let nested = Array(#"{"data":{"nonce":"AwAB"}}"#.utf8)
        #expect(try NonceExchange.nonce(in: nested, keyPath: "data.nonce") == "AwAB")
    }

    @Test(
        "Answers without a nonce",
        arguments: [
            "{}", #"{"nonce":"a"}"#, #"{"Nonce":""}"#, #"{"Nonce":1}"#, "[]", "", #""Nonce""#,
            #"{"Nonce":"a","Nonce":"b"}"#,
        ])
    func noNonce(_ body: String) {
        let refusal = code { _ = try NonceExchange.nonce(in: Array(body.utf8)) }
        #expect(refusal == .claimMissing || refusal == .malformed)
    }

    @Test("Groups in the standard place, under another name, as a list")
    func groups() throws {
        let standard = try #require(GroupRequest.member(["a", "b"], name: nil))
        #expect(standard.value["id_token"]?["groups"]?["values"] == ["a", "b"])
        #expect(try GroupRequest.read(JSONObject([standard]), name: nil) == ["a", "b"])
        let own = try #require(GroupRequest.member(["a"], name: "roles"))
        #expect(try GroupRequest.read(JSONObject([own]), name: "roles") == ["a"])
        #expect(try GroupRequest.read(JSONObject([own]), name: nil).isEmpty)
        #expect(GroupRequest.member([], name: nil) == nil)
    }

    @Test(
        "Groups that are no list of names",
        arguments: [1, "a", [1], [""], ["values": "a"], .null] as [JSONValue])
    func noGroups(_ value: JSONValue) {
        let claims = JSONObject([.init(name: "roles", value: value)])
        #expect(code { _ = try GroupRequest.read(claims, name: "roles") } == .groupsMalformed)
    }

    @Test("The defaults of a login configuration are Apple's")
    func defaults() {
        let configuration = LoginConfiguration(
            clientID: "c", issuer: "i", tokenEndpointURL: "t", jwksEndpointURL: "j")
        #expect(configuration.nonceResponseKeypath == "Nonce")
        #expect(configuration.serverNonceClaimName == "request_nonce")
        #expect(configuration.additionalScopes == "urn:apple:platformsso")
        #expect(configuration.customRequestJWTParameterName == "assertion")
        #expect(configuration.uniqueIdentifierClaimName == "sub")
        #expect(configuration.federationMEXURLKeypath == "federation_metadata_url")
        #expect(configuration.federationType == .none)
        #expect(!configuration.includePreviousRefreshTokenInLoginRequest)
        #expect(!configuration.includePlatformSSOAuthorizationScopes)
        #expect(configuration.loginRequestEncryptionAlgorithm == .ecdheA256GCM)
        #expect(configuration.keyURL == "t" && configuration.refreshEndpointURL == nil)
    }

    @Test("A federation is found by the predicate over the provider's answer")
    func federation() throws {
        var configuration = TestParties.configuration
        configuration.federationPredicate = try ResponsePredicate("account_type = 'Federated'")
        let federated = #"{"account_type":"Federated","federation_metadata_url":"https://a/mex"}"#
        let url = try configuration.federationMetadataURL(
            preauthentication: Array(federated.utf8))
        #expect(url == "https://a/mex")
        let managed = Array(#"{"account_type":"Managed"}"#.utf8)
        #expect(try configuration.federationMetadataURL(preauthentication: managed) == nil)
        for wrong in [
            #"{"account_type":"Federated"}"#,
            #"{"account_type":"Federated","federation_metadata_url":"http://a/mex"}"#,
        ] {
            let refusal = code {
                _ = try configuration.federationMetadataURL(preauthentication: Array(wrong.utf8))
            }
            #expect(refusal == .claimMissing)
        }
    }
}
