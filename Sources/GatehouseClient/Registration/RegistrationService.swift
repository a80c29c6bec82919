// SPDX-License-Identifier: Apache-2.0
import JOSE

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Registers the installation with evidence, for a person.
struct RegistrationService: Sendable {
    let dependencies: ClientDependencies
    let sessions: SessionRegistry

    // MARK: With evidence

    /// Registers without prompts.
    func register(_ request: RegistrationRequest, _ id: UUID) async throws -> Registration {
        try await IdentityError.surfacing(.registration) {
            let result = try await RegistrationCeremony(
                dependencies: dependencies, request: request, id: id, choosePIN: nil
            ).run()
            return Registration(
                profile: result.profile.publicProfile, isNewProfile: result.isNewProfile,
                method: request.method, idempotencyKey: id)
        }
    }

    /// Registers, prompts for a PIN if the project has PINs, and signs the person in.
    func register(
        _ request: RegistrationRequest, _ id: UUID,
        with prompter: FlowPrompter<RegistrationStep>, _ custom: CustomProviderClientFlow? = nil,
        scopes: [String]? = nil
    ) async throws -> RegistrationOutcome {
        let result = try await RegistrationCeremony(
            dependencies: dependencies, request: request, id: id,
            choosePIN: { policy in
                try await prompter.prompt {
                    .createPIN(CreatePINChallenge(policy: policy, continuation: $0))
                }
            }, custom: custom
        ).run()
        let session = try await signIn(result, prompter, scopes)
        await ReplacedInstallations(profiles: dependencies.profiles).remove(
            result.profile, by: session)
        return RegistrationOutcome(
            profile: result.profile.publicProfile, session: session,
            isNewProfile: result.isNewProfile, providerAnswer: result.providerAnswer)
    }

    /// Signs the person in. A PIN that was just created is not requested again, unless the app was
    /// restarted.
    private func signIn(
        _ result: RegistrationCeremony.Result, _ prompter: FlowPrompter<RegistrationStep>,
        _ scopes: [String]?
    ) async throws -> UserSession {
        let profile = result.profile
        guard profile.hasPIN else {
            return try await DeviceKeySignIn(dependencies: dependencies, sessions: sessions)
                .signIn(profile, scopes: scopes, challenge: result.next, in: .registration)
        }
        if let secret = result.secret {
            let signIn = try await PINSignIn(
                dependencies: dependencies, profile: profile, scopes: scopes)
            if let tokens = try await signIn.run(with: secret, next: result.next) {
                return try await sessions.signIn(profile, with: tokens)
            }
        }
        return try await PINPrompts(
            dependencies: dependencies, sessions: sessions, scopes: scopes
        )
        .signIn(profile, with: prompter) { .enterPIN($0) }
    }

    /// Returns the registrations whose result is unknown.
    func pending() async throws -> [PendingRegistration] {
        let profiles = dependencies.profiles
        var found: [PendingRegistration] = []
        var damage: StoreError?
        for name in try await profiles.store.names() {
            guard let id = PendingRecord.id(name) else { continue }
            do {
                guard let pending = try await PendingRecord.read(name, in: profiles),
                    pending.isAt(profiles.issuer), pending.isResumable
                else { continue }
                found.append(
                    PendingRegistration(idempotencyKey: id, method: .init(rawValue: pending.method))
                )
            } catch let error as StoreError where error.isDamage { damage = error }
        }
        if found.isEmpty, let damage { throw damage }
        return found.sorted { $0.idempotencyKey.uuidString < $1.idempotencyKey.uuidString }
    }

    // MARK: A guest

    /// Signs a person in whose profile is not stored.
    func registerGuest(
        _ provider: IdentityProvider?, _ options: SignInOptions,
        with prompter: FlowPrompter<RegistrationStep>
    ) async throws -> RegistrationOutcome {
        var options = options
        if let provider, provider.kind == .upstream { options.identityProvider = provider.id }
        var outcome = try await BrowserPageSignIn(
            dependencies: dependencies, sessions: sessions, persistence: .ephemeral,
            domain: .registration
        ).run(options) { page, redirectURI in
            try await prompter.prompt { continuation in
                .browser(
                    BrowserChallenge(
                        request: page, redirectURI: redirectURI, continuation: continuation))
            }
        }
        outcome.identityProvider = provider
        return outcome
    }

    // MARK: With an identity provider

    func identityProviders() async throws -> [IdentityProvider] {
        let connection = dependencies.connection
        let url = try await connection.address("identity_providers", in: .registration)
        let response = try await connection.send(ResourceRequest(url), in: .registration)
        guard response.status == 200 else {
            throw ProviderErrorMapping.error(response, in: .registration)
        }
        let items = try ProviderConnection.object(response)["items"]?.array ?? []
        return items.compactMap { IdentityProvider($0) }
    }

    /// Registers with the provider of that identifier. A custom one has precedence.
    func register(
        at name: IdentityProvider.ID, _ id: UUID, with prompter: FlowPrompter<RegistrationStep>,
        _ options: SignInOptions
    ) async throws -> RegistrationOutcome {
        let known = try await identityProviders().filter { $0.id == name }
        guard let provider = known.first(where: { $0.kind == .custom }) ?? known.first else {
            throw IdentityError(
                .registration, .identityProviderInvalid,
                "the project has no identity provider \(name)")
        }
        return try await register(at: provider, id, with: prompter, options)
    }

    /// - Parameter provider: With `nil` the sign-in page of the project.
    func register(
        at provider: IdentityProvider?, _ id: UUID,
        with prompter: FlowPrompter<RegistrationStep>, _ options: SignInOptions
    ) async throws -> RegistrationOutcome {
        if let provider, provider.kind == .custom {
            return try await register(atCustom: provider, id, with: prompter, options.scopes)
        }
        return try await BrowserRegistration(
            service: self, id: id, prompter: prompter, provider: provider
        ).run(options)
    }

    private func register(
        atCustom known: IdentityProvider, _ id: UUID,
        with prompter: FlowPrompter<RegistrationStep>, _ scopes: [String]?
    ) async throws -> RegistrationOutcome {
        let custom = CustomProviderClientFlow(
            known, registrationID: id, connection: dependencies.connection, prompter: prompter)
        do {
            var outcome = try await register(
                custom.request, id, with: prompter, custom, scopes: scopes)
            outcome.identityProvider = known
            return outcome
        } catch {
            await custom.abandon(after: error)
            throw error
        }
    }
}
