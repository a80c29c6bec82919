// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// An audit event that is written in the commit of the change that it records.
package final class TransactionalAuditEvent: Sendable {
    /// Whether it is also recorded without a change.
    package let isAlwaysDue: Bool
    private let make: @Sendable () -> AuditEvent?
    private let written = Mutex(false)

    /// - Parameter make: Called after the change and before its commit, possibly more than once.
    ///   Returns `nil` if there is nothing to record.
    package init(isAlwaysDue: Bool = false, _ make: @escaping @Sendable () -> AuditEvent?) {
        self.isAlwaysDue = isAlwaysDue
        self.make = make
    }

    /// `nil` after it was written, because it belongs to one change.
    package var due: AuditEvent? { isWritten ? nil : make() }

    /// Whether it is durable, with its change.
    package var isWritten: Bool { written.withLock { $0 } }

    package func wasWritten() { written.withLock { $0 = true } }
}
