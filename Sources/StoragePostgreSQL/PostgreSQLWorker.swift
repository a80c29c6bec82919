// SPDX-License-Identifier: Apache-2.0
import Platform

/// A thread with a connection, which does one piece of work after the other.
final class PostgreSQLWorker {
    private let connection: PostgreSQLConnection
    private let queue: WorkQueue

    private init(url: String, shared: PostgreSQLConnection.Shared, queue: WorkQueue) {
        connection = PostgreSQLConnection(
            url: url, greeting: PostgreSQLLimits.pool, shared: shared)
        self.queue = queue
    }

    /// Starts the thread, which ends when the queue is closed and empty.
    static func start(url: String, shared: PostgreSQLConnection.Shared, queue: WorkQueue) {
        do throws(PlatformError) {
            try BackgroundThread.start(niceness: 0, stackSize: 512 * 1024) {
                let worker = PostgreSQLWorker(url: url, shared: shared, queue: queue)
                while let work = queue.next() {
                    work.run(worker.connection)
                    queue.finished(work)
                }
                worker.connection.disconnect()
                queue.workerEnded()
            }
        } catch {
            queue.workerEnded()
        }
    }
}
