// SPDX-License-Identifier: Apache-2.0

/// Where the components of an agent report what happened.
@AgentActor
protocol AgentEvents: AnyObject, Sendable {
    /// Applies one event. A record that cannot be saved ends the agent.
    func handle(_ event: RegistrationEvent) async

    /// Applies events and a change of the record, saves the record, and starts the effects.
    @discardableResult
    func apply(
        _ events: [RegistrationEvent], with change: (inout AgentRecord) -> Void
    ) async throws -> [RegistrationEffect]

    /// The provider does not know the device under which a request was sent.
    func deviceUnknown(_ failure: ProviderError, _ origin: RequestOrigin) async

    /// Starts the actions that a call of an extension requested.
    func meet(_ call: PendingExtensionCall) async
}

extension AgentEvents {
    @discardableResult
    func apply(_ events: [RegistrationEvent]) async throws -> [RegistrationEffect] {
        try await apply(events) { _ in }
    }

    /// Applies an event together with a change of the record. A record that cannot be saved ends the agent.
    func handle(
        _ events: [RegistrationEvent], in records: RecordStore,
        with change: (inout AgentRecord) -> Void
    ) async {
        do { try await apply(events, with: change) } catch { records.onFailure?(error) }
    }
}
