// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import Threads

/// The thread on which a software key works, or a client with keys: what writes files, speaks to
/// TPMs and waits for reports must not happen on the cooperative pool.
///
/// Tasks that prefer it begin and end there too, which spares a request two changes of threads.
final class AuthenticatorThread: SerialExecutor, TaskExecutor {
    /// A job, and the executor it must be run on, which it keeps alive until then.
    private struct Entry {
        let job: UnownedJob
        let executor: AuthenticatorThread
    }

    /// What the thread holds: it keeps this alive, not the executor, which ends it by going.
    private final class Queue: Sendable {
        let entries = Mutex<[Entry]>([])
        let signal = DispatchSemaphore(value: 0)

        /// Waits. Nothing where a signal came without a job: the executor has gone.
        func next() -> Entry? {
            signal.wait()
            return entries.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }

    private let queue = Queue()

    init() throws(ThreadRefused) {
        try BackgroundThread.start(niceness: 0) { [queue] in
            while let entry = queue.next() {
                entry.job.runSynchronously(
                    isolatedTo: entry.executor.asUnownedSerialExecutor(),
                    taskExecutor: entry.executor.asUnownedTaskExecutor())
            }
        }
    }

    deinit { queue.signal.signal() }

    func enqueue(_ job: consuming ExecutorJob) {
        let entry = Entry(job: UnownedJob(job), executor: self)
        queue.entries.withLock { $0.append(entry) }
        queue.signal.signal()
    }
}
