// SPDX-License-Identifier: Apache-2.0
import JOSE

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The exchange between the app and a custom identity provider in one registration
/// (`docs/identity-providers.md`). Prompts the app, sends requests to the service, and results in
/// evidence.
actor CustomProviderClientFlow {
    nonisolated let provider: CustomIdentityProvider
    private let connection: ProviderConnection
    private let prompter: FlowPrompter<RegistrationStep>
    private let registrationID: UUID
    /// The transaction after the first of two steps, encrypted for the provider.
    private var transaction: String?
    private var hasStarted = false
    /// The evidence for the next registration request. Empty before the first prompt, which
    /// suffices for a registration that exists but whose response was lost.
    private(set) var evidence = RegistrationEvidence([:])

    init(
        _ provider: CustomIdentityProvider, registrationID: UUID, connection: ProviderConnection,
        prompter: FlowPrompter<RegistrationStep>
    ) {
        self.provider = provider
        self.registrationID = registrationID
        self.connection = connection
        self.prompter = prompter
    }

    /// The registration that it is the evidence of.
    nonisolated var request: RegistrationRequest {
        .evidence(provider.method) { _ in await self.evidence }
    }

    /// Prompts for the input of the first registration request.
    func start() async throws {
        hasStarted = true
        var payload: CustomPayload?
        if provider.method == .customTwoStep { payload = try await firstStep() }
        try await complete(payload)
    }

    /// Prompts again after a refusal that allows it.
    ///
    /// - Returns: `false` when the refusal is the end.
    func resume(after refusal: ResourceResponse) async throws -> Bool {
        let body = try? ProviderConnection.object(refusal)
        switch body?["code"]?.string {
        case "try_again":
            transaction = body?["transaction"]?.string ?? transaction
            try await complete(CustomPayload(body))
        case "missing_input" where !hasStarted: try await start()
        default: return false
        }
        return true
    }

    /// The first of two steps, until the service agrees to it.
    private func firstStep() async throws -> CustomPayload? {
        var payload: CustomPayload?
        while true {
            var body = JSONObject()
            body["identity_provider"] = .string(provider.id)
            body["registration_id"] = .string(registrationID.uuidString.lowercased())
            body["data"] = try await prompt(.start, payload).map(JSONValue.string)
            let answer = try await connection.reply(
                to: "start", .object(body), in: .registration)
            let read = try? ProviderConnection.object(answer)
            if answer.status == 200 {
                guard let text = read?["transaction"]?.string else {
                    throw ProviderConnection.invalid("the first step has no transaction")
                }
                transaction = text
                return CustomPayload(read)
            }
            guard read?["code"]?.string == "try_again" else {
                throw ProviderErrorMapping.error(answer, in: .registration)
            }
            payload = CustomPayload(read)
        }
    }

    private func complete(_ payload: CustomPayload?) async throws {
        var members: [String: String] = [:]
        if let transaction {
            members["transaction"] = transaction
        } else {
            members["identity_provider"] = provider.id
        }
        members["data"] = try await prompt(.complete, payload)
        evidence = RegistrationEvidence(members)
    }

    private func prompt(
        _ stage: CustomChallenge.Stage, _ payload: CustomPayload?
    ) async throws -> String? {
        try await prompter.prompt {
            .custom(CustomChallenge(self.provider, stage, payload, continuation: $0))
        }
    }

    // MARK: Giving up

    /// Notifies the service that the registration will not be completed. Runs in another task,
    /// because the caller's is cancelled and could send nothing.
    func abandon(after error: any Error) {
        let isCancelled =
            error is CancellationError || (error as? IdentityError)?.code == .cancelled
        guard isCancelled, let transaction else { return }
        let connection = connection
        Task {
            _ = try? await connection.reply(
                to: "cancel", ["transaction": .string(transaction)], in: .registration)
        }
    }
}
