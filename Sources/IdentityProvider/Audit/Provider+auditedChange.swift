// SPDX-License-Identifier: Apache-2.0
package import Storage

extension Provider {
    /// Changes something in a store that writes the event of it in the same commit: both happen or
    /// neither. Where nothing was changed there is no event.
    ///
    /// - Parameters:
    ///   - always: Whether there is one also when nothing was there to change.
    ///   - change: One verb. What else it changes later has no event of its own.
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
