// SPDX-License-Identifier: Apache-2.0
package import PlatformSSO
package import SingleSignOn

/// What an extension says that it can do (`protocolVersion`, `supportedGrantTypes`, the lists of
/// algorithms), against what a profile and a configuration ask for. Apple: a method "must be supported by the
/// extension or registration does not start".
extension ExtensionDescription {
    /// One that says nothing of itself, for it can do what the agent can.
    package static let unlimited = ExtensionDescription(
        handlesRegistration: true, handlesAuthorization: true, protocolVersion: .version2,
        grantTypes: .known)

    /// Why people cannot register that way; `nil` when they can.
    ///
    /// - Parameter hasKeyService: Whether its manifest says so, and the profile is for it.
    package func obstacle(
        to method: PlatformSSOAuthenticationMethod, hasKeyService: Bool
    ) -> String? {
        guard handlesRegistration else { return "it does not register devices" }
        guard deviceSigningAlgorithms.contains("es256") else {
            return "the keys of this device sign with es256 (supportedDeviceSigningAlgorithms)"
        }
        guard deviceEncryptionAlgorithms.contains("ecdhe_A256GCM") else {
            return "this device decrypts ecdhe_A256GCM (supportedDeviceEncryptionAlgorithms)"
        }
        if hasKeyService, protocolVersion == .version1 {
            return "its manifest has a key service, which is of protocol 2.0 (protocolVersion)"
        }
        return obstacle(to: method)
    }

    private func obstacle(to method: PlatformSSOAuthenticationMethod) -> String? {
        switch method {
        case .password: return lacks(.known, "any grant", "a password")
        case .smartCard: return lacks(.jwtBearer, "jwtBearer", "a smart card")
        case .userSecureEnclaveKey:
            guard userKeySigningAlgorithms.contains("es256") else {
                return "people's keys sign with es256 "
                    + "(supportedUserSecureEnclaveKeySigningAlgorithms)"
            }
            return lacks(.jwtBearer, "jwtBearer", "a key of the person")
        case .openID:
            guard protocolVersion == .version2 else {
                return "a page is of protocol 2.0 (protocolVersion)"
            }
            return lacks(.tokenExchange, "tokenExchange", "a page")
        }
    }

    /// Why what it saved cannot hold; `nil` when it can.
    package func obstacle(
        to login: LoginConfiguration, method: PlatformSSOAuthenticationMethod
    ) -> String? {
        let types: Set = [login.federationType, login.fallbackFederationType]
        if !types.isDisjoint(with: [.wsTrust, .dynamicWSTrust]),
            let lack = lacks([.saml11, .saml2], "saml1_1 or saml2_0", "WS-Trust")
        {
            return lack
        }
        if !types.isDisjoint(with: [.openID, .dynamicOpenID]),
            let lack = lacks(.tokenExchange, "tokenExchange", "a page")
        {
            return lack
        }
        guard method == .password, login.federationType == .none else { return nil }
        return login.loginRequestEncryptionPublicKey == nil
            ? lacks(.password, "password", "a password")
            : lacks(.jwtBearer, "jwtBearer", "a password that is encrypted")
    }

    private func lacks(_ grants: GrantTypes, _ name: String, _ what: String) -> String? {
        grantTypes.isDisjoint(with: grants)
            ? "\(what) needs \(name) (supportedGrantTypes)" : nil
    }
}

extension SSOConfiguration {
    /// Whether a page may replace a finger that is required and fails. Apple names the option
    /// `openIDFallback` without its conditions; web logins need shared keys.
    var fallsBackToPage: Bool {
        guard let settings = platformSSO, settings.useSharedDeviceKeys == true,
            authenticationMethod == .password || authenticationMethod == .userSecureEnclaveKey
        else { return false }
        let policies = [settings.fileVaultPolicy, settings.loginPolicy, settings.unlockPolicy]
        return policies.contains { words in
            guard let words, words.contains(.allowOpenIDForTouchIDFallback) else { return false }
            return words.contains(.requireTouchID) || words.contains(.requireTouchIDOrWatch)
        }
    }
}
