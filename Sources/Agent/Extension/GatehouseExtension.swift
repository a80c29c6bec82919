// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PlatformSSO
import Primitives
package import SingleSignOn
import UserClient

/// The extension for Gatehouse's own provider (docs/platform-sso-provider.md). The profile says where
/// it is: `issuer` in `ExtensionData`.
package struct GatehouseExtension: RegistrationExtension {
    /// Team and bundle identifier, as a profile for it has them.
    package static let bundleIdentifier = "org.gatehouse.sso"

    let exchange: ProviderExchange
    let keys: KeyStore

    package init(exchange: ProviderExchange, keys: KeyStore) {
        self.exchange = exchange
        self.keys = keys
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
                ProviderDirectory.isProtected(issuer)
            else { return .failedNoRetry }
            let provider = try await GatehouseProvider(issuer: issuer, exchange: exchange)
            let isKnown = await manager.loginConfiguration != nil
            if manager.registrationToken != nil || isKnown {
                let result = try await registerDevice(manager, provider, options, bearer: nil)
                guard result == .userInterfaceRequired else { return result }
            }
            guard options.contains(.userInteractionEnabled) else { return .userInterfaceRequired }
            let bearer = try await signIn(manager, provider)
            let result = try await registerDevice(manager, provider, options, bearer: bearer)
            return result == .userInterfaceRequired ? .failed : result
        } catch {
            return .failed
        }
    }

    /// The same keys as before, so that a call which was cut off finds its own registration.
    private func registerDevice(
        _ manager: any ExtensionLoginManager, _ provider: GatehouseProvider,
        _ options: ExtensionRequestOptions, bearer: Secret?
    ) async throws -> ExtensionRegistrationResult {
        var pair = try await manager.deviceKeys()
        var answer = try await provider.register(pair, manager, options, bearer: bearer)
        if answer.code == "key_taken" {
            pair = try await manager.resetDeviceKeys()
            answer = try await provider.register(pair, manager, options, bearer: bearer)
        }
        guard let configuration = answer.configuration else {
            return answer.code == "registration_refused" ? .userInterfaceRequired : .failed
        }
        try await manager.saveLoginConfiguration(configuration)
        return .success
    }

    /// Somebody who may register machines, on a page of the provider.
    private func signIn(
        _ manager: any ExtensionLoginManager, _ provider: GatehouseProvider
    ) async throws -> Secret {
        let client = OpenIDClient(
            clientID: manager.extensionData.text("client_id") ?? "platform-sso", web: exchange.web,
            clock: exchange.clock, random: exchange.random)
        let signIn = BrowserSignIn(
            client: client, directory: try await client.discover(provider.issuer))
        return try await signIn.run(scope: "openid urn:apple:platformsso") { address in
            _ = try? await manager.present(.page(address))
        }.accessToken
    }

    // MARK: Person

    package func beginUserRegistration(
        _ manager: any ExtensionLoginManager, userName: String?, method: AuthenticationMethod,
        options: ExtensionRequestOptions
    ) async -> ExtensionRegistrationResult {
        do {
            guard let configuration = await manager.loginConfiguration else { return .failed }
            switch method {
            case .password, .smartCard: return try await registerName(manager, userName, options)
            case .userSecureEnclaveKey:
                return try await registerKey(manager, configuration, userName, options)
            case .openID: return .failedNoRetry
            }
        } catch {
            return .failed
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
        _ options: ExtensionRequestOptions
    ) async throws -> String? {
        if let userName { return userName }
        guard options.contains(.userInteractionEnabled) else { return nil }
        let issuer = await manager.loginConfiguration?.issuer ?? "the provider"
        let answer = try await manager.present(
            .line("Your user name at \(issuer):", suggestion: manager.account))
        return answer.isEmpty ? manager.account : answer
    }

    /// A key for the person: they sign in once with their password, and the key does it from then on.
    private func registerKey(
        _ manager: any ExtensionLoginManager, _ configuration: LoginConfiguration,
        _ userName: String?, _ options: ExtensionRequestOptions
    ) async throws -> ExtensionRegistrationResult {
        guard options.contains(.userInteractionEnabled),
            let name = try await name(manager, userName, options)
        else { return .userInterfaceRequired }
        let user = UserLoginConfiguration(loginUserName: name)
        let password = Secret(try await manager.present(.secret("Password of \(name):")))
        let pair = try await manager.deviceKeys()
        let client = ProviderClient(
            exchange: exchange, configuration: configuration, keys: keys, signing: pair.signing,
            encryption: pair.encryption)
        let login = try await client.signIn(user, password: password)
        let provider = try await GatehouseProvider(
            issuer: configuration.issuer, exchange: exchange)
        var key = try await manager.userKey()
        var code = try await provider.register(
            key, of: user, device: pair.signing, login.response.refreshToken, manager)
        if code == "key_taken" {
            key = try await manager.resetUserKey()
            code = try await provider.register(
                key, of: user, device: pair.signing, login.response.refreshToken, manager)
        }
        guard code == nil else { return code == "grant_unsupported" ? .failedNoRetry : .failed }
        try await manager.saveUserLoginConfiguration(user)
        return .success
    }
}

extension [PropertyList.Entry] {
    /// The text of that name.
    func text(_ name: String) -> String? { first { $0.name == name }?.value.string }
}
