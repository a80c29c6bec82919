// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL

/// Some verbs and their one commit. Every caller is answered exactly once, after the commit.
struct WriteBatch {
    private let writes: [PendingWrite]
    private let connection: SQLiteConnection

    init(_ writes: [PendingWrite], _ connection: SQLiteConnection) {
        self.writes = writes
        self.connection = connection
    }

    func commit() {
        do {
            _ = try connection.run("BEGIN IMMEDIATE")
            // A verb by itself needs no savepoint: undoing it is undoing all.
            let answers =
                try writes.count == 1
                ? writes.map { try $0.run(connection) }
                : writes.map(attempt)
            _ = try connection.run("COMMIT")
            for answer in answers { answer() }
        } catch {
            // The commit, or the transaction as a whole, failed: nothing of it happened.
            if connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
            for write in writes { write.fail(error) }
        }
    }

    /// Runs one verb. A verb that fails undoes only itself; its caller learns of it with the
    /// others, because what it saw was not durable yet. Throws when SQLite gave up the whole
    /// transaction (a full disk, for one).
    private func attempt(_ write: PendingWrite) throws -> @Sendable () -> Void {
        do {
            return write.isOneStatement ? try write.run(connection) : try inSavepoint(write)
        } catch {
            guard connection.isInTransaction else { throw error }
            return { write.fail(error) }
        }
    }

    private func inSavepoint(_ write: PendingWrite) throws -> @Sendable () -> Void {
        _ = try connection.run("SAVEPOINT verb")
        do {
            let answer = try write.run(connection)
            _ = try connection.run("RELEASE verb")
            return answer
        } catch {
            if connection.isInTransaction {
                _ = try connection.run("ROLLBACK TO verb")
                _ = try connection.run("RELEASE verb")
            }
            throw error
        }
    }
}
