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
        guard handlesRegistration else { return "it registers no machines" }
        guard deviceSigningAlgorithms.contains("es256") else {
            return "the keys of this machine sign with es256 (supportedDeviceSigningAlgorithms)"
        }
        guard deviceEncryptionAlgorithms.contains("ecdhe_A256GCM") else {
            return "this machine decrypts ecdhe_A256GCM (supportedDeviceEncryptionAlgorithms)"
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
    /// Whether a page may stand in somewhere where a finger is asked for and fails. Apple names the option
    /// `openIDFallback` and not when it is given; web logins need shared keys.
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

extension Agent {
    /// One call of the extension. Nothing begins that it says it cannot do: that stays so until the profile
    /// or the extension changes. While it does not say, nothing begins either, and it is asked again later.
    func ask(
        _ serving: InstalledExtension, to subject: RegistrationSubject,
        _ attempt: RegistrationAttempt, _ found: SSOConfiguration, _ call: RegistrationCallHandle
    ) async -> ExtensionRegistrationResult {
        var manager = call
        let method = call.authenticationMethod
        let abilities: ExtensionDescription
        do { abilities = try await serving.registration.describe() } catch {
            explain("\(error)", subject, attempt: attempt.number)
            return .failed
        }
        manager.abilities = abilities
        let hasKeyService = record.machine.plan?.usesKeyService == true
        if let obstacle = abilities.obstacle(to: method, hasKeyService: hasKeyService) {
            explain("the extension cannot do it: " + obstacle, subject, attempt: attempt.number)
            return .failedNoRetry
        }
        let options = attempt.options.union(circumstances(of: subject, found))
        guard case .person(let account) = subject else {
            return await serving.registration.beginDeviceRegistration(manager, options: options)
        }
        let person = record.people[account]
        return await serving.registration.beginUserRegistration(
            manager, userName: person?.isNameDoubted == true ? nil : person?.loginUserName,
            method: method, options: options)
    }

    /// What an extension is told of the moment, besides what the registrations decide.
    private func circumstances(
        of subject: RegistrationSubject, _ found: SSOConfiguration
    ) -> ExtensionRequestOptions {
        var options: ExtensionRequestOptions = []
        if found.platformSSO?.enableRegistrationDuringSetup == true, isInSetup() {
            options.insert(.setupAssistant)
        }
        if found.fallsBackToPage { options.insert(.openIDFallback) }
        guard case .person(let account) = subject,
            found.authenticationMethod == .userSecureEnclaveKey, let person = record.people[account]
        else { return options }
        if person.isKeyInvalid { options.insert(.userKeyInvalid) }
        // A PIN or a touch that the profile wants by now makes the next key the stronger one.
        if let key = person.key, !isGuardedEnough(key, of: account) {
            options.insert(.strongerKeyAvailable)
        }
        return options
    }
}
