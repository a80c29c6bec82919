// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import SingleSignOn
import UserClient

/// Keys that take each other's place: docs/platform-sso-provider.md, `previous_key_proof`. The provider
/// takes both for a day, and says the same when it is told again.
extension GatehouseExtension {
    package func keyWillRotate(
        _ rotation: KeyRotation, _ manager: any ExtensionLoginManager
    ) async -> Bool {
        do {
            guard let issuer = manager.extensionData.text("issuer"),
                ProviderEndpoints.isProtected(issuer)
            else { return false }
            let provider = try await GatehouseProvider(issuer: issuer, exchange: exchange)
            return rotation.role == .person
                ? try await registerKey(rotation.key, at: provider, manager)
                : try await registerPair(rotation, at: provider, manager)
        } catch { return false }
    }

    /// Registers with pending keys first: if a response was lost, the provider knows the device by
    /// them alone.
    ///
    /// - Returns: `nil` if there are none.
    func registerPending(
        at provider: GatehouseProvider, _ manager: any ExtensionLoginManager,
        _ options: ExtensionRequestOptions
    ) async throws -> GatehouseProvider.RegistrationResult? {
        let signing = await manager.pendingKey(.deviceSigning)
        let encryption = await manager.pendingKey(.deviceEncryption)
        guard signing != nil || encryption != nil else { return nil }
        let old = try await manager.deviceKeys()
        let pair = DeviceKeyPairs(
            signing: signing ?? old.signing, encryption: encryption ?? old.encryption)
        let answer = try await provider.register(
            pair, manager, options, bearer: nil, previous: signing.map { _ in old.signing })
        guard let configuration = answer.configuration else { return answer }
        try await manager.saveLoginConfiguration(configuration)
        for (role, key) in [(AgentKeyRole.deviceSigning, signing), (.deviceEncryption, encryption)]
        {
            // Where the agent offered it at the same time, it is in its place already.
            guard let key, await manager.pendingKey(role) == key else { continue }
            try await manager.completeRotation(of: role)
        }
        return answer
    }

    private func registerPair(
        _ rotation: KeyRotation, at provider: GatehouseProvider,
        _ manager: any ExtensionLoginManager
    ) async throws -> Bool {
        let old = try await manager.deviceKeys()
        let isSigning = rotation.role == .deviceSigning
        let pair = DeviceKeyPairs(
            signing: isSigning ? rotation.key : old.signing,
            encryption: isSigning ? old.encryption : rotation.key)
        let answer = try await provider.register(
            pair, manager, rotation.sharesDeviceKeys ? .registrationSharedDeviceKeys : [],
            bearer: nil, previous: isSigning ? old.signing : nil)
        guard let configuration = answer.configuration else { return false }
        try await manager.saveLoginConfiguration(configuration)
        return true
    }

    /// Registers a new key of the person. An existing key authenticates them, so that they type
    /// nothing: the old key, or the new one if the provider knows it already.
    private func registerKey(
        _ key: AgentKey, at provider: GatehouseProvider, _ manager: any ExtensionLoginManager
    ) async throws -> Bool {
        guard let configuration = await manager.loginConfiguration,
            let name = await manager.person?.loginUserName
        else { return false }
        let user = UserLoginConfiguration(loginUserName: name)
        let pair = try await manager.deviceKeys()
        let client = ProviderClient(
            exchange: exchange, configuration: configuration, keys: keys, signing: pair.signing,
            encryption: pair.encryption, known: await manager.identity(of: user))
        let login: VerifiedLogin
        do throws(ProviderError) {
            login = try await client.signIn(user, key: try await oldKey(manager))
        } catch {
            guard case .wrongCredential = error else { throw error }
            _ = try await client.signIn(user, key: key)
            return true
        }
        let answer = try await provider.register(
            key, of: user, device: pair.signing, .refreshToken(login.response.refreshToken),
            manager)
        return answer.code == nil
    }

    private func oldKey(
        _ manager: any ExtensionLoginManager
    ) async throws(ProviderError) -> AgentKey {
        do { return try await manager.userKey() } catch { throw .keys("\(error)") }
    }
}
