// SPDX-License-Identifier: Apache-2.0
import Storage
import StorageSQL
import Synchronization

/// The single writer. Operations that wait during a commit share the next one. All callers receive
/// their results after the commit is durable.
final class SQLiteGroupCommit: Sendable {
    private struct Queue {
        var writes: [PendingWrite] = []
        var isDraining = false
        var isClosed = false
    }

    /// The maximum number of operations in one commit, which bounds the waiting time.
    private static let batchSize = 256

    private let database: SQLiteDatabase
    private let queue = Mutex(Queue())
    private let count: CommitCounter?

    init(_ database: SQLiteDatabase, counting count: CommitCounter? = nil) {
        self.database = database
        self.count = count
    }

    func write<T: Sendable>(
        isOneStatement: Bool = false,
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            submit(PendingWrite(isOneStatement: isOneStatement, body, continuation))
        }
    }

    /// Refuses new verbs, then waits for those that were accepted.
    func close() async {
        queue.withLock { $0.isClosed = true }
        await withCheckedContinuation { continuation in
            database.schedule { _ in continuation.resume() }
        }
        database.close()
    }

    private func submit(_ write: PendingWrite) {
        enum Next { case refuse, wait, drain }
        let next: Next = queue.withLock {
            if $0.isClosed { return .refuse }
            $0.writes.append(write)
            if $0.isDraining { return .wait }
            $0.isDraining = true
            return .drain
        }
        switch next {
        case .refuse: write.fail(StorageError(.unavailable, "the store is closed"))
        case .wait: break
        case .drain: database.schedule { self.drain($0) }
        }
    }

    private func drain(_ connection: PreparedSQLiteConnection) {
        while let batch = nextBatch() {
            // Before the writers resume, so that they see their own commit in the count.
            count?.add(writes: batch.count)
            WriteBatch(batch, connection).commit()
        }
    }

    private func nextBatch() -> [PendingWrite]? {
        queue.withLock {
            guard !$0.writes.isEmpty else {
                $0.isDraining = false
                return nil
            }
            let batch = Array($0.writes.prefix(Self.batchSize))
            $0.writes.removeFirst(batch.count)
            return batch
        }
    }
}
