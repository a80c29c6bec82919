// SPDX-License-Identifier: Apache-2.0
package import Storage

extension Provider {
    /// Runs a change of the store that writes its audit event in the same transaction. Without a
    /// change, no event is written.
    ///
    /// - Parameters:
    ///   - always: Whether to write an event even if the change had no effect.
    ///   - change: One store operation. Later operations on the same store write no event.
    package func recorded<Outcome>(
        _ draft: AuditEventDraft, always: Bool = false,
        _ change: (any ProviderStore) async throws -> Outcome
    ) async throws -> Outcome {
        let made = audit.prepare(draft)
        let event = TransactionalAuditEvent(isAlwaysDue: always) { made }
        let outcome = try await change(store.recording(event))
        if event.isWritten { audit.wasRecorded(draft) }
        return outcome
    }
}
