// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// The database of a store: its engine, the format of its backups, and its retention times.
///
/// It is an object so that a capability is one reference: it fits into an `any PersonStore` without
/// an allocation.
final class SQLDatabase: Sendable {
    let engine: any SQLEngine
    let archives: any ArchiveFormat
    /// The retention time of audit events.
    let auditRetention: TimeSpan

    init(engine: any SQLEngine, archives: any ArchiveFormat, auditRetention: TimeSpan) {
        self.engine = engine
        self.archives = archives
        self.auditRetention = auditRetention
    }

    /// Returns this database with an event that the first change writes in the same commit.
    func recording(_ event: TransactionalAuditEvent) -> SQLDatabase {
        SQLDatabase(
            engine: AuditingEngine(engine, event), archives: archives,
            auditRetention: auditRetention)
    }
}
