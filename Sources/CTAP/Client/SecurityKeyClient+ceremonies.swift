// SPDX-License-Identifier: Apache-2.0

extension SecurityKeyClient {
    /// Registers a key (WebAuthn section 5.1.3).
    package func register(
        _ options: RegistrationOptions, caller: CeremonyCaller
    ) async throws(SecurityKeyError) -> SecurityKeyRegistration {
        let scope = try CeremonyScope(
            .create, id: options.relyingPartyId, challenge: options.challenge, caller: caller)
        if let appId = options.extensions.appIdExclude {
            try AppID.check(appId, scope.relyingPartyId)
        }
        let operation = SecurityKeyOperation.register(
            relyingParty: scope.relyingPartyId, account: PromptText.clean(options.user.name ?? ""))
        return try await withKey(operation, timeout: options.timeout) { key in
            do throws(SecurityKeyError) {
                guard let info = key.info else {
                    return .success(
                        try await U2FCeremony(self, key, scope, operation).register(options))
                }
                let creation = CredentialCreation(
                    key: key, info: info, options: options, scope: scope, operation: operation,
                    interaction: interaction, random: random, delay: delay)
                return .success(try await creation.run())
            } catch { return .failure(error) }
        }
    }

    /// Signs in with a key (WebAuthn section 5.1.4).
    package func signIn(
        _ options: AssertionOptions, caller: CeremonyCaller
    ) async throws(SecurityKeyError) -> SecurityKeyAssertion {
        let scope = try CeremonyScope(
            .get, id: options.relyingPartyId, challenge: options.challenge, caller: caller)
        if let appId = options.extensions.appId { try AppID.check(appId, scope.relyingPartyId) }
        let operation = SecurityKeyOperation.signIn(relyingParty: scope.relyingPartyId)
        return try await withKey(operation, timeout: options.timeout) { key in
            do throws(SecurityKeyError) {
                guard let info = key.info else {
                    return .success(
                        try await U2FCeremony(self, key, scope, operation).signIn(options))
                }
                let ceremony = AssertionCeremony(
                    key: key, info: info, options: options, scope: scope, operation: operation,
                    interaction: interaction, random: random, delay: delay)
                return .success(try await ceremony.run())
            } catch { return .failure(error) }
        }
    }
}
