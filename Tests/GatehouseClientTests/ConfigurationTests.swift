// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import Testing

@Suite("Configuration") struct ConfigurationTests {
    @Test("What the console exports is read; what is left out is as usual")
    func reads() throws {
        let least = Data(#"{"issuer":"https://login.example.com","client_id":"notes"}"#.utf8)
        let read = try ClientConfiguration(json: least)
        #expect(read == ClientConfiguration(issuer: "https://login.example.com", clientID: "notes"))
        #expect(read.scopes == ["openid", "profile", "offline_access", "registration"])
        var full = read
        full.redirectURI = "com.example.notes:/callback"
        full.proxy = .init(host: "proxy", port: 3128)
        full.installationName = "Notes on a phone"
        #expect(try ClientConfiguration(json: try JSONEncoder().encode(full)) == full)
    }

    @Test(
        "What nothing could be done with is refused",
        arguments: [
            "", "[]", "{}", #"{"issuer":"https://a.example"}"#,
            #"{"issuer":"http://a.example","client_id":"a"}"#,
            #"{"issuer":"https://a.example/","client_id":"a"}"#,
            #"{"issuer":"https://a.example","client_id":""}"#,
            #"{"issuer":"https://a.example","client_id":"a","timeout_seconds":0}"#,
            #"{"issuer":"https://a.example","client_id":"a","scopes":["a b"]}"#,
            #"{"issuer":7,"client_id":"a"}"#,
            #"{"issuer":"https://10.0.0.1:65536","client_id":"a"}"#,
            #"{"issuer":"https://a.b","client_id":"a","proxy":{"host":"10.0.0.1","port":65536}}"#,
            #"{"issuer":"https://a.b","client_id":"a","proxy":{"host":"","port":1}}"#,
        ])
    func refuses(_ text: String) {
        #expect(throws: IdentityError.made(.generic, .configurationInvalid)) {
            try ClientConfiguration(json: Data(text.utf8))
        }
    }

    @Test("Pinned certificates that are none are refused before anything is asked")
    func pins() {
        var configuration = ClientConfiguration(
            issuer: "https://login.example.com", clientID: "notes")
        configuration.pinnedCertificates = ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END-----"]
        #expect(throws: IdentityError.made(.generic, .configurationInvalid)) {
            try IdentityClient(
                configuration: configuration, store: InMemorySecureStore(),
                keys: InMemoryKeyStore())
        }
    }

    @Test("Legacy names of methods mean the same")
    func methods() {
        #expect(RegistrationMethod(rawValue: "FSSO") == .signedJWT)
        #expect(RegistrationMethod(rawValue: "TEST") == .testKey)
        #expect(RegistrationMethod.deviceCheck.legacyName == "DEVICE_CHECK")
        #expect(RegistrationMethod.oidc.legacyName == nil)
    }
}
