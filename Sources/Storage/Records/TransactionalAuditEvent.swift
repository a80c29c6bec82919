// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// An audit event that is written in the commit of the change that it tells of.
package final class TransactionalAuditEvent: Sendable {
    /// Whether it is due also when there was nothing to change.
    package let isAlwaysDue: Bool
    private let make: @Sendable () -> AuditEvent?
    private let written = Mutex(false)

    /// - Parameter make: asked when the change has been made, before it is committed, and perhaps
    ///   more than once; `nil` when there is nothing to tell.
    package init(isAlwaysDue: Bool = false, _ make: @escaping @Sendable () -> AuditEvent?) {
        self.isAlwaysDue = isAlwaysDue
        self.make = make
    }

    /// `nil` once it has been written: it is of one change.
    package var due: AuditEvent? { isWritten ? nil : make() }

    /// Whether it is durable, with its change.
    package var isWritten: Bool { written.withLock { $0 } }

    package func wasWritten() { written.withLock { $0 = true } }
}
