// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL

/// Several operations and their common commit. Every caller is completed exactly once, after the
/// commit.
///
/// The operations run without savepoints, because a savepoint copies each page that its operation
/// changes. If an operation of several statements fails, all are rolled back and run again, each in
/// a savepoint.
struct WriteBatch {
    private typealias Completion = @Sendable () -> Void

    /// A verb has failed half-way, and others of the batch must not fail with it.
    private struct NeedsSavepoints: Error {}

    private let writes: [PendingWrite]
    private let connection: PreparedSQLiteConnection

    init(_ writes: [PendingWrite], _ connection: PreparedSQLiteConnection) {
        self.writes = writes
        self.connection = connection
    }

    func commit() {
        do {
            for answer in try answers() { answer() }
        } catch {
            // The commit, or the transaction as a whole, failed: nothing of it happened.
            for write in writes { write.fail(error) }
        }
    }

    private func answers() throws -> [Completion] {
        do {
            return try transaction(withSavepoints: false)
        } catch is NeedsSavepoints {
            return try transaction(withSavepoints: true)
        }
    }

    private func transaction(withSavepoints: Bool) throws -> [Completion] {
        do {
            try connection.define("BEGIN IMMEDIATE")
            let answers = try writes.map { try attempt($0, withSavepoints) }
            try connection.define("COMMIT")
            return answers
        } catch {
            if connection.isInTransaction { try? connection.define("ROLLBACK") }
            throw error
        }
    }

    /// Runs one operation. A failed operation rolls back only its own changes. Its caller is
    /// completed with the others, because what it read was not durable yet.
    ///
    /// Throws if the batch cannot be committed: SQLite rolled back the whole transaction (for
    /// example on a full disk), or the changes of the operation can only be rolled back with the
    /// rest.
    private func attempt(_ write: PendingWrite, _ withSavepoints: Bool) throws -> Completion {
        do {
            return withSavepoints && !write.isOneStatement
                ? try inSavepoint(write) : try write.run(connection)
        } catch {
            guard connection.isInTransaction else { throw error }
            guard write.isOneStatement || withSavepoints else {
                throw writes.count == 1 ? error : NeedsSavepoints()
            }
            return { write.fail(error) }
        }
    }

    private func inSavepoint(_ write: PendingWrite) throws -> Completion {
        try connection.define("SAVEPOINT verb")
        do {
            let answer = try write.run(connection)
            try connection.define("RELEASE verb")
            return answer
        } catch {
            if connection.isInTransaction {
                try connection.define("ROLLBACK TO verb")
                try connection.define("RELEASE verb")
            }
            throw error
        }
    }
}
