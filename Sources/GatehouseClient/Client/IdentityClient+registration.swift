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
    /// afterwards with ``signIn(_:as:options:)``.
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

    /// Registers with evidence, prompts for a PIN if the project or the app uses PINs, and signs the
    /// person in.
    public nonisolated func registration(
        _ request: RegistrationRequest, options: SignInOptions = SignInOptions(),
        idempotencyKey: UUID = UUID()
    ) -> RegistrationFlow {
        RegistrationFlow(.registration) { [registration] prompter in
            try await registration.register(
                request, idempotencyKey, with: prompter, scopes: options.scopes)
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

    /// Registers this installation for a person who signs in or creates an account on a page of the
    /// provider, prompts for a PIN if the project or the app uses PINs, and signs the person in.
    ///
    /// ```swift
    /// let flow = client.register()
    /// for try await step in flow {
    ///     switch step {
    ///     case .browser(let challenge): try await challenge.present(with: presenter)
    ///     case .createPIN(let challenge): try challenge.respond(with: try PIN(typed))
    ///     default: break
    ///     }
    /// }
    /// ```
    ///
    /// A person who is registered here already retains the profile, and gets a new key. If the
    /// system ends the app while the browser is open, pass the redirect to ``handle(redirect:)``
    /// after the next start.
    ///
    /// - Parameters:
    ///   - provider: One of ``identityProviders``. With `nil` the sign-in page of the project.
    ///   - options: The scopes, and parameters of the page.
    ///   - persistence: Whether the profile is stored: see ``Persistence``. An ephemeral one is not
    ///     registered as an installation.
    ///   - idempotencyKey: Identifies this registration. After an unclear error, repeat it with the
    ///     same key.
    /// - Throws: The flow throws ``IdentityError/Code/methodNotSupported`` before the page opens if
    ///   the project does not offer the method `oidc`, and ``IdentityError/Code/cancelled`` if the
    ///   person cancels.
    public nonisolated func register(
        with provider: IdentityProvider? = nil, options: SignInOptions = SignInOptions(),
        persistence: Persistence = .kept, idempotencyKey: UUID = UUID()
    ) -> RegistrationFlow {
        RegistrationFlow(.registration) { [registration] prompter in
            if persistence == .ephemeral, provider?.kind != .custom {
                return try await registration.registerGuest(provider, options, with: prompter)
            }
            return try await registration.register(
                at: provider, idempotencyKey, with: prompter, options)
        }
    }

    /// Resumes a registration in a browser with the URL to which the browser was redirected, after
    /// the system ended the app in the meantime.
    ///
    /// - Returns: The rest of the registration, which may prompt for a PIN. `nil` if the URL belongs
    ///   to no registration of the last hour.
    public nonisolated func handle(redirect: URL) async throws -> RegistrationFlow? {
        try await IdentityError.surfacing(.registration) {
            guard let redirectURI = dependencies.configuration.redirectURI,
                redirect.absoluteString.hasPrefix(redirectURI),
                let parameters = BrowserRequest.parameters(of: redirect),
                let state = parameters["state"],
                let id = try await PendingRegistrationStore.registration(
                    expecting: state, in: dependencies)
            else { return nil }
            let response = BrowserChallenge.Response(
                parameters: parameters, redirectURI: redirectURI)
            return RegistrationFlow(.registration) { [registration] prompter in
                try await BrowserRegistration(service: registration, id: id, prompter: prompter)
                    .resume(with: response)
            }
        }
    }

    /// Resumes a registration in a browser that was interrupted. The page is displayed again if the
    /// sign-in of the person was more than a few minutes ago.
    ///
    /// - Parameter pending: One of ``pendingRegistrations`` by ``RegistrationMethod/oidc``. Repeat
    ///   others with their evidence and idempotency key.
    public nonisolated func resume(_ pending: PendingRegistration) -> RegistrationFlow {
        RegistrationFlow(.registration) { [registration] prompter in
            guard pending.method == .oidc else {
                throw IdentityError(
                    .registration, .requestInvalid,
                    "repeat the registration by \(pending.method.rawValue) with its evidence")
            }
            return try await BrowserRegistration(
                service: registration, id: pending.idempotencyKey, prompter: prompter
            ).resume()
        }
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

    // MARK: Identity providers

    /// The identity providers with which people can register here, as the provider lists them now:
    /// its sign-in page, upstream providers and custom ones.
    public nonisolated var identityProviders: [IdentityProvider] {
        get async throws {
            try await IdentityError.surfacing(.registration) {
                try await registration.identityProviders()
            }
        }
    }

    /// Registers a person with an identity provider, by its identifier. The messages of a custom one
    /// arrive as ``RegistrationStep/custom(_:)``.
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
    ///   - options: The scopes, and parameters of a page.
    ///   - idempotencyKey: Identifies this registration. After an unclear error, repeat it with the
    ///     same key: a completed registration is found without prompting the person.
    /// - Throws: The flow throws ``IdentityError/Code/identityProviderInvalid`` if the provider does
    ///   not exist, ``IdentityError/Code/identityProviderRefused`` if it refuses, with its response
    ///   in ``IdentityError/providerAnswer``, ``IdentityError/Code/identityProviderUnavailable`` if
    ///   it does not respond, and ``IdentityError/Code/expired`` if the second step is too late.
    public nonisolated func register(
        with provider: IdentityProvider.ID, options: SignInOptions = SignInOptions(),
        idempotencyKey: UUID = UUID()
    ) -> RegistrationFlow {
        RegistrationFlow(.registration) { [registration] prompter in
            try await registration.register(at: provider, idempotencyKey, with: prompter, options)
        }
    }
}
