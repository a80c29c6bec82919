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
        with prompter: FlowPrompter<RegistrationStep>, _ custom: CustomProviderClientFlow? = nil
    ) async throws -> RegistrationOutcome {
        let result = try await RegistrationCeremony(
            dependencies: dependencies, request: request, id: id,
            choosePIN: { policy in
                try await prompter.prompt {
                    .createPIN(CreatePINChallenge(policy: policy, continuation: $0))
                }
            }, custom: custom
        ).run()
        let session = try await signIn(result, prompter)
        return RegistrationOutcome(
            profile: result.profile.publicProfile, session: session,
            isNewProfile: result.isNewProfile, providerAnswer: result.providerAnswer)
    }

    /// Signs the person in. A PIN that was just created is not requested again, unless the app was
    /// restarted.
    private func signIn(
        _ result: RegistrationCeremony.Result, _ prompter: FlowPrompter<RegistrationStep>
    ) async throws -> UserSession {
        let profile = result.profile
        guard profile.hasPIN else {
            return try await DeviceKeySignIn(dependencies: dependencies, sessions: sessions)
                .signIn(profile, in: .registration)
        }
        if let secret = result.secret {
            let signIn = try await PINSignIn(dependencies: dependencies, profile: profile)
            if let tokens = try await signIn.run(with: secret) {
                return try await sessions.signIn(profile, with: tokens)
            }
        }
        return try await PINPrompts(dependencies: dependencies, sessions: sessions)
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
                    pending.isAt(profiles.issuer)
                else { continue }
                found.append(
                    PendingRegistration(idempotencyKey: id, method: .init(rawValue: pending.method))
                )
            } catch let error as StoreError where error.isDamage { damage = error }
        }
        if found.isEmpty, let damage { throw damage }
        return found.sorted { $0.idempotencyKey.uuidString < $1.idempotencyKey.uuidString }
    }

    // MARK: With a custom identity provider

    func identityProviders() async throws -> [CustomIdentityProvider] {
        let connection = dependencies.connection
        let url = try await connection.address("identity_providers", in: .registration)
        let response = try await connection.send(ResourceRequest(url), in: .registration)
        guard response.status == 200 else {
            throw ProviderErrorMapping.error(response, in: .registration)
        }
        let items = try ProviderConnection.object(response)["items"]?.array ?? []
        return items.compactMap { CustomIdentityProvider($0) }
    }

    func register(
        at provider: CustomIdentityProvider.ID, _ id: UUID,
        with prompter: FlowPrompter<RegistrationStep>
    ) async throws -> RegistrationOutcome {
        guard let known = try await identityProviders().first(where: { $0.id == provider }) else {
            throw IdentityError(
                .registration, .identityProviderInvalid,
                "the project has no identity provider \(provider)")
        }
        let custom = CustomProviderClientFlow(
            known, registrationID: id, connection: dependencies.connection, prompter: prompter)
        do {
            return try await register(custom.request, id, with: prompter, custom)
        } catch {
            await custom.abandon(after: error)
            throw error
        }
    }
}
