// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where audit events are kept.
package protocol AuditStore: Sendable {
    func append(_ events: [AuditEvent]) async throws
    /// Newest first, before `cursor`.
    func auditEvents(
        _ filter: AuditFilter, before cursor: Identifier<AuditEvent>?, limit: Int
    ) async throws -> [AuditEvent]
}

/// Writes events with whatever else is changed.
package protocol AuditingStore: Sendable {
    /// This store, whose next verb that changes something writes `event` in the same commit.
    func recording(_ event: TransactionalAuditEvent) -> any ProviderStore
}

package struct AuditFilter: Sendable, Equatable {
    package var project: Identifier<Project>?
    package var person: Identifier<Person>?
    package var clientID: String?
    /// What happened on that machine, or to it.
    package var device: Identifier<Device>?
    /// A whole action or a prefix that ends with a dot.
    package var action: String?
    package var outcome: AuditEvent.Outcome?
    /// The request number that an error page, a problem document and a log line contain.
    package var requestID: String?
    package var since: Timestamp?

    package init() {}
}
