// SPDX-License-Identifier: Apache-2.0
import JOSE

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension IdentityClient {
    /// The operator's own identity providers by which people may register here, as the provider
    /// lists them now. Those with which people sign in on a page are offered by the page.
    public nonisolated var identityProviders: [CustomIdentityProvider] {
        get async throws {
            try await IdentityError.surfacing(.registration) {
                let url = try await system.connection.address(
                    "identity_providers", in: .registration)
                let answer = try await system.connection.send(
                    ResourceRequest(url), in: .registration)
                guard answer.status == 200 else {
                    throw ProviderErrorMapping.error(answer, in: .registration)
                }
                let items = try ProviderConnection.object(answer)["items"]?.array ?? []
                return items.compactMap { CustomIdentityProvider($0) }
            }
        }
    }

    /// Registers somebody by an identity provider of the operator's own, in its one step or two.
    /// What is said goes both ways through ``RegistrationStep/custom(_:)``.
    ///
    /// ```swift
    /// let flow = client.register(with: "letter")
    /// for try await step in flow {
    ///     if case .custom(let challenge) = step {
    ///         try challenge.respond(with: await answer(to: challenge.payload?.data))
    ///     }
    /// }
    /// ```
    ///
    /// Somebody who is registered here already keeps their profile. Cancelling between the two
    /// steps is told to the service.
    ///
    /// - Parameters:
    ///   - provider: One of ``identityProviders``.
    ///   - idempotencyKey: Names this registration. When it fails without a clear answer, do it
    ///     again with the same one: what was made then is found, without asking the person.
    /// - Throws: The flow throws ``IdentityError/Code/identityProviderInvalid`` when there is no
    ///   such provider, ``IdentityError/Code/identityProviderRefused`` when it refuses, with its
    ///   word in ``IdentityError/providerAnswer``, ``IdentityError/Code/identityProviderUnavailable``
    ///   when it gives no answer, and ``IdentityError/Code/expired`` when the second step came too
    ///   late.
    public nonisolated func register(
        with provider: CustomIdentityProvider.ID, idempotencyKey: UUID = UUID()
    ) -> RegistrationFlow {
        RegistrationFlow(
            runner: FlowRunner(.registration) { [self] asker in
                try await IdentityError.surfacing(.registration) {
                    let known = try await identityProviders.first { $0.id == provider }
                    guard let known else {
                        throw IdentityError(
                            .registration, .identityProviderInvalid,
                            "the project has no identity provider \(provider)")
                    }
                    let dialogue = CustomProviderClientFlow(
                        known, registrationID: idempotencyKey, connection: system.connection,
                        asker: asker)
                    do {
                        return try await register(
                            dialogue.request, idempotencyKey, asking: asker, dialogue)
                    } catch {
                        await dialogue.abandon(after: error)
                        throw error
                    }
                }
            })
    }
}
