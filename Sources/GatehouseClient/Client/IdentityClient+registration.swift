// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension IdentityClient {
    private nonisolated var registration: RegistrationService {
        RegistrationService(dependencies: dependencies, sessions: sessions)
    }

    /// Registers this installation for a person, with evidence and without prompts. Sign in
    /// afterwards with ``signIn(_:as:)``.
    ///
    /// A person who is registered here already retains the profile.
    ///
    /// - Parameters:
    ///   - request: The evidence.
    ///   - idempotencyKey: Identifies this registration. After an unclear error or a restart of the
    ///     app, repeat it with the same key: see ``pendingRegistrations``.
    /// - Throws: ``IdentityError`` of the domain `registration`.
    @discardableResult
    public nonisolated func register(
        _ request: RegistrationRequest, idempotencyKey: UUID = UUID()
    ) async throws -> Registration {
        try await registration.register(request, idempotencyKey)
    }

    /// Registers with evidence, prompts for a PIN if the project has PINs, and signs the person in.
    public nonisolated func registration(
        _ request: RegistrationRequest, idempotencyKey: UUID = UUID()
    ) -> RegistrationFlow {
        RegistrationFlow(.registration) { [registration] prompter in
            try await registration.register(request, idempotencyKey, with: prompter)
        }
    }

    /// Registers with the attestor of the client.
    public nonisolated func registrationWithAttestation(
        idempotencyKey: UUID = UUID()
    ) throws -> RegistrationFlow {
        guard let attestor = dependencies.attestor else {
            throw IdentityError(
                .registration, .configurationInvalid, "the client was created without an attestor")
        }
        return registration(.attested(by: attestor), idempotencyKey: idempotencyKey)
    }

    /// Registers a person with a page of the provider in a browser, where they sign in or create an
    /// account, and signs them in.
    ///
    /// A person who is registered here already retains the profile.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to request. With `nil` those of the configuration.
    ///   - persistence: Whether the profile is stored: see ``Persistence``.
    public nonisolated func register(
        scopes: [String]? = nil, persistence: Persistence = .kept
    ) -> RegistrationFlow {
        let registration = BrowserRegistration(dependencies, sessions, persistence)
        return RegistrationFlow(.registration) { try await registration.run(scopes, with: $0) }
    }

    /// Whether a registration is stored.
    public enum Persistence: Sendable, Hashable {
        /// The profile is stored and exists after a restart.
        case kept
        /// Profile, key and tokens exist in memory only, as long as the session. For a guest, or a
        /// kiosk.
        case ephemeral
    }

    /// The registrations whose result is unknown. Repeat each with its idempotency key, and with
    /// evidence for the same person. A damaged record is omitted.
    ///
    /// - Throws: ``IdentityError/Code/storageDamaged`` if there are some and all are damaged.
    public nonisolated var pendingRegistrations: [PendingRegistration] {
        get async throws {
            try await IdentityError.surfacing(.registration) { try await registration.pending() }
        }
    }

    // MARK: Custom identity providers

    /// The custom identity providers with which people can register here, as the provider lists
    /// them now. A page of the provider offers those that sign people in with a page.
    public nonisolated var identityProviders: [CustomIdentityProvider] {
        get async throws {
            try await IdentityError.surfacing(.registration) {
                try await registration.identityProviders()
            }
        }
    }

    /// Registers a person with a custom identity provider, in one step or two. Its messages arrive
    /// as ``RegistrationStep/custom(_:)``.
    ///
    /// ```swift
    /// let flow = client.register(with: "badge")
    /// for try await step in flow {
    ///     if case .custom(let challenge) = step {
    ///         try challenge.respond(with: await answer(to: challenge.payload?.data))
    ///     }
    /// }
    /// ```
    ///
    /// A person who is registered here already retains the profile. If the flow is cancelled
    /// between the two steps, the service is notified.
    ///
    /// - Parameters:
    ///   - provider: One of ``identityProviders``.
    ///   - idempotencyKey: Identifies this registration. After an unclear error, repeat it with the
    ///     same key: a completed registration is found without prompting the person.
    /// - Throws: The flow throws ``IdentityError/Code/identityProviderInvalid`` if the provider does
    ///   not exist, ``IdentityError/Code/identityProviderRefused`` if it refuses, with its response
    ///   in ``IdentityError/providerAnswer``, ``IdentityError/Code/identityProviderUnavailable`` if
    ///   it does not respond, and ``IdentityError/Code/expired`` if the second step is too late.
    public nonisolated func register(
        with provider: CustomIdentityProvider.ID, idempotencyKey: UUID = UUID()
    ) -> RegistrationFlow {
        RegistrationFlow(.registration) { [registration] prompter in
            try await registration.register(at: provider, idempotencyKey, with: prompter)
        }
    }
}
