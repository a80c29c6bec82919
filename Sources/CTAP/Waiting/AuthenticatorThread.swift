// SPDX-License-Identifier: Apache-2.0
package import Platform
import Synchronization

/// The thread of a software key, or of a client with keys. It runs the enqueued jobs; without jobs
/// it waits for the files and deadlines of all its tasks at once (``ThreadWait``).
///
/// A task on this thread can send a report and receive the response without a change of threads.
/// Blocking calls (a durable file, a TPM, a card) block this thread and not the cooperative pool; a
/// call that may block for long has a separate thread.
///
/// It is the executor of actors. Tasks that belong to no actor run on ``tasks``: the runtime treats
/// two contexts as one executor only if both have the same isolation, and would otherwise enqueue
/// each step again.
package final class AuthenticatorThread: SerialExecutor {
    /// The thread for tasks that belong to no actor.
    package let tasks: AuthenticatorTasks
    private let loop: AuthenticatorLoop

    package init() throws(PlatformError) {
        loop = try AuthenticatorLoop()
        tasks = AuthenticatorTasks(loop)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        loop.run(AuthenticatorLoop.Entry(job: UnownedJob(job), place: .actor(self)))
    }

    /// Adds a wait to the thread, from any thread.
    func add(_ wait: ThreadWait) { loop.add(wait) }

    /// The number of times that the thread waited without work. Each wait costs at most two changes
    /// of threads; tests count them for a ceremony.
    package var rests: Int { loop.rests }

    /// The number of task steps that the thread received.
    package var steps: Int { loop.steps }
}

extension AuthenticatorThread {
    private struct Shared {
        weak var thread: AuthenticatorThread?
    }

    private static let clients = Mutex(Shared())

    /// The thread on which this process waits for security keys, while a caller waits for one.
    package static func ofClients() throws(PlatformError) -> AuthenticatorThread {
        try clients.withLock { shared throws(PlatformError) in
            if let thread = shared.thread { return thread }
            let thread = try AuthenticatorThread()
            shared.thread = thread
            return thread
        }
    }
}
