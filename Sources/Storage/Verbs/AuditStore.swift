// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of audit events.
package protocol AuditStore: Sendable {
    func append(_ events: [AuditEvent]) async throws
    /// Returns events before `cursor`, newest first.
    func auditEvents(
        _ filter: AuditFilter, before cursor: Identifier<AuditEvent>?, limit: Int
    ) async throws -> [AuditEvent]
}

package struct AuditFilter: Sendable, Equatable {
    package var project: Identifier<Project>?
    package var person: Identifier<Person>?
    package var clientID: String?
    /// The device that the events concern.
    package var device: Identifier<Device>?
    /// A whole action or a prefix that ends with a dot.
    package var action: String?
    package var outcome: AuditEvent.Outcome?
    /// The request number that an error page, a problem document and a log line contain.
    package var requestID: String?
    package var since: Timestamp?

    package init() {}
}
