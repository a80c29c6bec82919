// SPDX-License-Identifier: Apache-2.0
import JOSE

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is said between the app and the operator's own service in one registration
/// (`docs/identity-providers.md`): asks the app, asks the service, and has the evidence in the end.
actor CustomProviderClientFlow {
    nonisolated let provider: CustomIdentityProvider
    private let connection: ProviderConnection
    private let asker: FlowAsker<RegistrationStep>
    private let registrationID: UUID
    /// Of the first step of two, as it goes on; nobody but the provider can read it.
    private var transaction: String?
    private var hasBegun = false
    /// For the registration that is sent next. Empty until the app has been asked: enough for one
    /// that was made before, whose answer was lost.
    private(set) var evidence = RegistrationEvidence([:])

    init(
        _ provider: CustomIdentityProvider, registrationID: UUID, connection: ProviderConnection,
        asker: FlowAsker<RegistrationStep>
    ) {
        self.provider = provider
        self.registrationID = registrationID
        self.connection = connection
        self.asker = asker
    }

    /// The registration that it is the evidence of.
    nonisolated var request: RegistrationRequest {
        .evidence(provider.method) { _ in await self.evidence }
    }

    /// Asks for what the first registration needs.
    func begin() async throws {
        hasBegun = true
        var payload: CustomPayload?
        if provider.method == .customTwoStep { payload = try await start() }
        try await complete(payload)
    }

    /// Asks again after a refusal that leaves room for it.
    ///
    /// - Returns: `false` when the refusal is the end.
    func goOn(after refusal: ResourceResponse) async throws -> Bool {
        let body = try? ProviderConnection.object(refusal)
        switch body?["code"]?.string {
        case "try_again":
            transaction = body?["transaction"]?.string ?? transaction
            try await complete(CustomPayload(body))
        case "missing_input" where !hasBegun: try await begin()
        default: return false
        }
        return true
    }

    /// The first of two steps, until the service agrees to it.
    private func start() async throws -> CustomPayload? {
        var payload: CustomPayload?
        while true {
            var body = JSONObject()
            body["identity_provider"] = .string(provider.id)
            body["registration_id"] = .string(registrationID.uuidString.lowercased())
            body["data"] = try await ask(.start, payload).map(JSONValue.string)
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
        members["data"] = try await ask(.complete, payload)
        evidence = RegistrationEvidence(members)
    }

    private func ask(
        _ stage: CustomChallenge.Stage, _ payload: CustomPayload?
    ) async throws -> String? {
        try await asker.ask { .custom(CustomChallenge(self.provider, stage, payload, slot: $0)) }
    }

    // MARK: Giving up

    /// Tells the service that nobody will complete what it has begun. Whoever cancelled does not
    /// wait for it, and their task, being cancelled, could send nothing.
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
