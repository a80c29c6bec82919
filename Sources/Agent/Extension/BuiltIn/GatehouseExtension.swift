// SPDX-License-Identifier: Apache-2.0
import AgentClient
import PlatformSSO
import Primitives
package import SingleSignOn
package import UserClient

/// The extension for Gatehouse's own provider (docs/platform-sso-provider.md). The profile says where
/// it is: `issuer` in `ExtensionData`.
package struct GatehouseExtension: RegistrationExtension {
    let exchange: ProviderExchange
    let keys: AgentKeyStore
    /// Who fetches people's pictures: wherever they are, so not ``exchange``.
    let pictures: any WebTransport
    /// The pause between two requests whether a person has signed in on another device.
    let pause: DeviceCodeSignIn.Pause

    /// - Parameter pictures: Where it says nothing, public machines alone are asked for pictures.
    package init(
        exchange: ProviderExchange, keys: AgentKeyStore,
        pictures: any WebTransport = RestrictedWebClient(
            OutgoingRequestPolicy(asksOwnMachine: false)),
        pause: @escaping DeviceCodeSignIn.Pause = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.exchange = exchange
        self.keys = keys
        self.pictures = pictures
        self.pause = pause
    }

    package func registrationDidComplete() async {}
    package func registrationDidCancel() async {}
    package func configurationRemoved() async {}

    package func unregister(_ leaving: Unregistration) async throws -> Bool {
        try await GatehouseProvider(issuer: leaving.configuration.issuer, exchange: exchange)
            .unregister(leaving, keys)
        return true
    }

    // MARK: Device

    package func beginDeviceRegistration(
        _ manager: any ExtensionLoginManager, options: ExtensionRequestOptions
    ) async -> ExtensionRegistrationResult {
        do {
            guard let issuer = manager.extensionData.text("issuer"),
                ProviderEndpoints.isProtected(issuer)
            else {
                await manager.explain("the profile names no issuer with an https address")
                return .failedNoRetry
            }
            let provider = try await GatehouseProvider(issuer: issuer, exchange: exchange)
            let isMigration = options.contains(.registrationDeviceKeyMigration)
            let hasFormer = isMigration ? await manager.formerKeys != nil : false
            let isKnown = await manager.loginConfiguration != nil || hasFormer
            if manager.registrationToken != nil || isKnown {
                let result = try await registerDevice(manager, provider, options, bearer: nil)
                guard result == .userInterfaceRequired else { return result }
            }
            guard options.contains(.userInteractionEnabled) else { return .userInterfaceRequired }
            let bearer = try await signIn(manager, provider)
            let result = try await registerDevice(manager, provider, options, bearer: bearer)
            return result == .userInterfaceRequired ? .failed : result
        } catch {
            await manager.explain(Self.sentence(error))
            return .failed
        }
    }

    /// The same keys as before, so that a call which was cut off finds its own registration.
    private func registerDevice(
        _ manager: any ExtensionLoginManager, _ provider: GatehouseProvider,
        _ options: ExtensionRequestOptions, bearer: Secret?
    ) async throws -> ExtensionRegistrationResult {
        var answer = try await registerPending(at: provider, manager, options)
        if answer?.meansUnknown ?? true {
            answer = try await register(
                manager.deviceKeys(), at: provider, manager, options, bearer)
        }
        if answer?.code == "key_taken" {
            answer = try await register(
                manager.resetDeviceKeys(), at: provider, manager, options, bearer)
        }
        guard let answer else { return .failed }
        guard let configuration = answer.configuration else {
            await manager.explain(answer.reason ?? answer.code ?? "the provider gives no reason")
            return answer.code == "registration_refused" ? .userInterfaceRequired : .failed
        }
        try await manager.saveLoginConfiguration(configuration)
        return .success
    }

    /// With what may prove the machine, one after the other, and at last with nothing.
    private func register(
        _ pair: DeviceKeyPairs, at provider: GatehouseProvider,
        _ manager: any ExtensionLoginManager, _ options: ExtensionRequestOptions, _ bearer: Secret?
    ) async throws -> GatehouseProvider.RegistrationResult {
        for previous in await formerKeys(manager, options) {
            let answer = try await provider.register(
                pair, manager, options, bearer: bearer, previous: previous)
            guard answer.code == "device_unknown" else { return answer }
        }
        return try await provider.register(pair, manager, options, bearer: bearer)
    }

    /// By which the provider may know the machine. It makes keys of one person the machine's, and never
    /// the other way round.
    private func formerKeys(
        _ manager: any ExtensionLoginManager, _ options: ExtensionRequestOptions
    ) async -> [AgentKey] {
        guard options.contains(.registrationDeviceKeyMigration), manager.owner == .everyone,
            let former = await manager.formerKeys
        else { return [] }
        return [former.signing, await manager.formerPendingKey].compactMap(\.self)
    }

    // MARK: Person

    package func beginUserRegistration(
        _ manager: any ExtensionLoginManager, userName: String?,
        method: PlatformSSOAuthenticationMethod,
        options: ExtensionRequestOptions
    ) async -> ExtensionRegistrationResult {
        do {
            guard let configuration = try await configuration(for: method, manager, options) else {
                return .failed
            }
            switch method {
            case .password, .smartCard, .openID:
                return try await registerName(manager, userName, options)
            case .userSecureEnclaveKey:
                return try await registerKey(manager, configuration, userName, options)
            }
        } catch {
            await manager.explain(Self.sentence(error))
            return .failed
        }
    }

    /// That of the device; asked for again where the profile has another method since then.
    private func configuration(
        for method: PlatformSSOAuthenticationMethod, _ manager: any ExtensionLoginManager,
        _ options: ExtensionRequestOptions
    ) async throws -> LoginConfiguration? {
        guard let configuration = await manager.loginConfiguration else { return nil }
        guard !configuration.isMade(for: method) else { return configuration }
        let answer = try await provider(configuration).register(
            try await manager.deviceKeys(), manager, options.sharing, bearer: nil)
        guard let changed = answer.configuration, changed.isMade(for: method) else {
            await manager.explain(
                answer.reason ?? "the provider offers no sign-in page")
            return nil
        }
        try await manager.saveLoginConfiguration(changed)
        return changed
    }

    private func provider(
        _ configuration: LoginConfiguration
    ) async throws -> GatehouseProvider {
        try await GatehouseProvider(issuer: configuration.issuer, exchange: exchange)
    }

    /// Returns a description of the error without confidential details.
    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let failure as ProviderError: failure.description
        case let failure as KeyStoreError: failure.description
        case is PresentationError: "no response to the prompt"
        default: "\(error)"
        }
    }

    /// People with passwords and cards register by signing in; only their name has to be known.
    private func registerName(
        _ manager: any ExtensionLoginManager, _ userName: String?,
        _ options: ExtensionRequestOptions
    ) async throws -> ExtensionRegistrationResult {
        guard let name = try await name(manager, userName, options) else {
            return .userInterfaceRequired
        }
        try await manager.saveUserLoginConfiguration(UserLoginConfiguration(loginUserName: name))
        return .success
    }

    private func name(
        _ manager: any ExtensionLoginManager, _ userName: String?,
        _ options: ExtensionRequestOptions, before: String? = nil
    ) async throws -> String? {
        if let userName { return userName }
        guard options.contains(.userInteractionEnabled) else { return nil }
        let issuer = await manager.loginConfiguration?.issuer ?? "the provider"
        // What they typed before, also where it was doubted: never the account in its place.
        let known = await manager.person?.loginUserName
        let suggestion = before ?? known ?? manager.account
        let answer = try await manager.present(
            .line("Your user name at \(issuer):", suggestion: suggestion))
        return answer.isEmpty ? suggestion : answer
    }

    private static let greatestTries = 3

    /// A key for the person: they sign in once with their password, and the key does it from then on. A name
    /// that the provider never accepted may be what was mistyped, and is asked for again with the password.
    private func registerKey(
        _ manager: any ExtensionLoginManager, _ configuration: LoginConfiguration,
        _ userName: String?, _ options: ExtensionRequestOptions
    ) async throws -> ExtensionRegistrationResult {
        guard options.contains(.userInteractionEnabled) else { return .userInterfaceRequired }
        var (known, before) = (userName, nil as String?)
        for round in 1... {
            guard let name = try await name(manager, known, options, before: before) else {
                return .userInterfaceRequired
            }
            do {
                return try await registerKey(of: name, manager, configuration, options)
            } catch let error as ProviderError {
                guard case .wrongCredential = error, round < Self.greatestTries else { throw error }
                _ = try await manager.present(
                    .notice("The provider does not know that name and password"))
                before = name
                known = await manager.person?.identity == nil ? nil : name
            }
        }
        return .failed
    }

    private func registerKey(
        of name: String, _ manager: any ExtensionLoginManager,
        _ configuration: LoginConfiguration, _ options: ExtensionRequestOptions
    ) async throws -> ExtensionRegistrationResult {
        let user = UserLoginConfiguration(loginUserName: name)
        let provider = try await provider(configuration)
        let evidence = try await evidence(of: user, manager, configuration, provider, options)
        var key = try await manager.userKey()
        func register() async throws -> GatehouseProvider.RegistrationResult {
            try await provider.register(
                key, of: user, device: manager.deviceKeys().signing, evidence, manager)
        }
        var answer = try await register()
        if answer.code == "key_taken" {
            key = try await manager.resetUserKey()
            answer = try await register()
        }
        if let code = answer.code {
            await manager.explain(answer.reason ?? code)
            return code == "grant_unsupported" ? .failedNoRetry : .failed
        }
        try await manager.saveUserLoginConfiguration(user)
        return .success
    }
}

extension GatehouseExtension {
    /// That it is them: their password, or a page of the provider where passwords are not taken.
    private func evidence(
        of user: UserLoginConfiguration, _ manager: any ExtensionLoginManager,
        _ configuration: LoginConfiguration, _ provider: GatehouseProvider,
        _ options: ExtensionRequestOptions
    ) async throws -> GatehouseProvider.PersonEvidence {
        // The response to a repeated registration names the sign-in methods. A key that the
        // provider may have accepted comes first, because the key before it registers no one.
        var answer = try await registerPending(at: provider, manager, options.sharing)
        if answer?.meansUnknown ?? true {
            answer = try await provider.register(
                manager.deviceKeys(), manager, options.sharing, bearer: nil)
        }
        let pair = try await manager.deviceKeys()
        let known = await manager.identity(of: user)
        guard answer?.methods?.contains("password") ?? true else {
            return .bearer(try await signIn(manager, provider, as: known))
        }
        let prompt = "Password of \(user.loginUserName):"
        let password = Secret(try await manager.present(.secret(prompt)))
        let client = ProviderClient(
            exchange: exchange, configuration: configuration, keys: keys, signing: pair.signing,
            encryption: pair.encryption, known: known)
        return .refreshToken(
            try await client.signIn(user, password: password).response.refreshToken)
    }
}

extension ExtensionLoginManager {
    /// Returns the identity after the provider has determined it: a key is never registered for
    /// another person.
    func identity(of user: UserLoginConfiguration) async -> LoginIdentity? {
        guard let person = await person, person.loginUserName == user.loginUserName else {
            return nil
        }
        return person.identity
    }
}

extension ExtensionRequestOptions {
    /// The option for shared keys alone.
    fileprivate var sharing: Self { intersection(.registrationSharedDeviceKeys) }
}

extension [PropertyList.Entry] {
    /// The text of that name.
    func text(_ name: String) -> String? { first { $0.name == name }?.value.string }
}
