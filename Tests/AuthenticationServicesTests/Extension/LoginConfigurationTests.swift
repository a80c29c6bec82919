// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation
import PlatformSSO
import SingleSignOn
import Testing

/// Apple's configuration classes: names, defaults, raw values, and what they refuse.
@Suite struct LoginConfigurationTests {
    private func make() throws -> ASAuthorizationProviderExtensionLoginConfiguration {
        let token = try #require(URL(string: "https://idp.example.com/token"))
        let keys = try #require(URL(string: "https://idp.example.com/jwks"))
        return ASAuthorizationProviderExtensionLoginConfiguration(
            clientID: "c", issuer: "i", tokenEndpointURL: token, jwksEndpointURL: keys,
            audience: nil)
    }

    @Test("Defaults are Apple's")
    func defaults() throws {
        let configuration = try make()
        #expect(configuration.nonceEndpointURL == configuration.tokenEndpointURL)
        #expect(configuration.nonceResponseKeypath == "Nonce")
        #expect(configuration.serverNonceClaimName == "request_nonce")
        #expect(configuration.additionalScopes == "urn:apple:platformsso")
        #expect(configuration.customRequestJWTParameterName == "assertion")
        #expect(configuration.uniqueIdentifierClaimName == "sub")
        #expect(configuration.federationMEXURLKeypath == "federation_metadata_url")
        #expect(configuration.federationType == .none)
        #expect(configuration.refreshEndpointURL == nil)
        #expect(configuration.invalidCredentialPredicate == nil)
        #expect(configuration.loginRequestEncryptionAlgorithm == .ecdhe_A256GCM)
        #expect(configuration.userSecureEnclaveKeyBiometricPolicy.isEmpty)
    }

    @Test("Everything that is set is saved, and read back the same")
    func survives() throws {
        let configuration = try make()
        configuration.keyEndpointURL = URL(string: "https://idp.example.com/key")
        configuration.deviceContext = Data([1, 2])
        configuration.jwksTrustedRootCertificates = [SecCertificate([0x30, 0x00])]
        configuration.invalidCredentialPredicate = "error = 'invalid_grant'"
        configuration.userSecureEnclaveKeyBiometricPolicy = [.touchIDOrWatchAny, .passwordFallback]
        configuration.federationType = .dynamicWSTrust
        try configuration.setCustomKeyExchangeRequestHeaderClaims(["a": ["b": [1, 2.5, NSNull()]]])
        let mapping = ASAuthorizationProviderExtensionKerberosMapping()
        mapping.ticketKeyPath = "tgt"
        configuration.kerberosTicketMappings = [mapping]
        #expect(configuration.kerberosTicketMappings.isEmpty, "a mapping without names")
        mapping.messageBufferKeyName = "m"
        mapping.realmKeyName = "r"
        mapping.serviceNameKeyName = "s"
        mapping.clientNameKeyName = "c"
        mapping.encryptionKeyTypeKeyName = "e"
        mapping.sessionKeyKeyName = "k"
        configuration.kerberosTicketMappings = [mapping]
        let checked = try configuration.checked()
        #expect(try LoginConfiguration(json: checked.json) == checked)
        #expect(checked.kerberosTicketMappings.first?.sessionKeyKeyName == "k")
        let again = ASAuthorizationProviderExtensionLoginConfiguration(checked)
        #expect(again.deviceContext == Data([1, 2]))
        #expect(again.invalidCredentialPredicate == "error = 'invalid_grant'")
    }

    @Test("Predicates are validated when the configuration is saved")
    func predicates() throws {
        let configuration = try make()
        configuration.invalidCredentialPredicate = "error LIKE"
        #expect(throws: ASAuthorizationError.self) { try configuration.checked() }
        configuration.invalidCredentialPredicate = nil
        configuration.federationPredicate = "(("
        #expect(throws: ASAuthorizationError.self) { try configuration.checked() }
    }

    @Test("HPKE for passwords is refused when the configuration is saved")
    func hpke() throws {
        let configuration = try make()
        configuration.loginRequestEncryptionAlgorithm = .hpke_P256_SHA256_AES_GCM_256
        #expect(throws: ASAuthorizationError.self) { try configuration.checked() }
    }

    @Test("Claims that JSON cannot say are refused, in every method")
    func claims() throws {
        let configuration = try make()
        let wrong: [String: Any] = ["when": Date()]
        for set in [
            configuration.setCustomAssertionRequestHeaderClaims,
            configuration.setCustomAssertionRequestBodyClaims,
            configuration.setCustomLoginRequestHeaderClaims,
            configuration.setCustomLoginRequestBodyClaims,
            configuration.setCustomRefreshRequestHeaderClaims,
            configuration.setCustomRefreshRequestBodyClaims,
            configuration.setCustomKeyRequestHeaderClaims,
            configuration.setCustomKeyRequestBodyClaims,
            configuration.setCustomKeyExchangeRequestHeaderClaims,
            configuration.setCustomKeyExchangeRequestBodyClaims,
        ] {
            #expect(throws: ASAuthorizationError.self) { try set(wrong) }
            #expect(throws: ASAuthorizationError.self) { try set(["x": Double.infinity]) }
        }
    }

    @Test("Raw values are Apple's, and the messages' are the same")
    func rawValues() {
        typealias KeyType = ASAuthorizationProviderExtensionKeyType
        let types: [KeyType] = [
            .userDeviceSigning, .userDeviceEncryption, .userSecureEnclaveKey, .sharedDeviceSigning,
            .sharedDeviceEncryption, .currentDeviceSigning, .currentDeviceEncryption,
            .userSmartCard,
        ]
        #expect(types.map(\.rawValue) == [1, 2, 3, 4, 5, 10, 11, 20])
        #expect(types.map(\.rawValue) == ExtensionKeyType.allCases.map(\.rawValue))
        typealias Result = ASAuthorizationProviderExtensionRegistrationResult
        let results: [Result] = [.success, .failed, .userInterfaceRequired, .failedNoRetry]
        #expect(results.map(\.rawValue) == [0, 1, 2, 3])
        #expect(results.map(\.rawValue) == ExtensionRegistrationResult.allCases.map(\.rawValue))
        typealias Options = ASAuthorizationProviderExtensionRequestOptions
        let options: [Options] = [
            .userInteractionEnabled, .registrationRepair, .registrationSharedDeviceKeys,
            .registrationDeviceKeyMigration, .strongerKeyAvailable, .userKeyInvalid,
            .setupAssistant, .openIDFallback,
        ]
        #expect(options.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128])
        #expect(
            options.reduce(into: 0) { $0 |= $1.rawValue } == ExtensionRequestOptions.known.rawValue)
        typealias Grants = ASAuthorizationProviderExtensionSupportedGrantTypes
        let grants: [Grants] = [.password, .jwtBearer, .saml1_1, .saml2_0]
        #expect(grants.map(\.rawValue) == [1, 2, 4, 8])
        typealias Method = ASAuthorizationProviderExtensionAuthenticationMethod
        #expect([Method.password, .userSecureEnclaveKey, .smartCard].map(\.rawValue) == [1, 2, 3])
        typealias Version = ASAuthorizationProviderExtensionPlatformSSOProtocolVersion
        #expect([Version.version1_0, .version2_0].map(\.rawValue) == [0, 1])
        typealias Federation = ASAuthorizationProviderExtensionLoginConfiguration.FederationType
        #expect([Federation.none, .wsTrust, .dynamicWSTrust].map(\.rawValue) == [0, 1, 2])
        typealias Policy =
            ASAuthorizationProviderExtensionLoginConfiguration.UserSecureEnclaveKeyBiometricPolicy
        let policies: [Policy] = [
            .touchIDOrWatchCurrentSet, .touchIDOrWatchAny, .reuseDuringUnlock, .passwordFallback,
        ]
        #expect(policies.map(\.rawValue) == [1, 2, 4, 8])
    }
}
