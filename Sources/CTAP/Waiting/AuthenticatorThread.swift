// SPDX-License-Identifier: Apache-2.0
import Synchronization
package import Threads

/// The thread on which a software key works, or a client with keys: it runs what is enqueued on
/// it, and when nothing is left to run it waits, for all of its tasks at once, for their files and
/// moments (``ThreadWait``).
///
/// A task that prefers it can send a report and wait for the answer without a change of threads.
/// What has to block, a file being made durable, a TPM, a card, blocks here and not on the
/// cooperative pool; whoever may block for long has a thread of its own.
///
/// It is the executor of actors. Tasks that belong to none run on its ``tasks``: the runtime takes
/// one executor for two contexts only if they say the same of isolation, and would enqueue each
/// step anew that it could have gone on with.
package final class AuthenticatorThread: SerialExecutor {
    /// The thread for tasks that belong to no actor.
    package let tasks: AuthenticatorTasks
    private let loop: AuthenticatorLoop

    package init() throws(ThreadRefused) {
        loop = try AuthenticatorLoop()
        tasks = AuthenticatorTasks(loop)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        loop.run(AuthenticatorLoop.Entry(job: UnownedJob(job), place: .actor(self)))
    }

    /// Has the thread heed a wait, from any thread.
    func heed(_ wait: ThreadWait) { loop.heed(wait) }

    /// How often the thread has had nothing left to do but wait: each time costs two changes of
    /// threads at most, and what a ceremony costs of them is counted in tests.
    package var rests: Int { loop.rests }

    /// How many steps of tasks the thread has been given to run.
    package var steps: Int { loop.steps }
}

extension AuthenticatorThread {
    private struct Shared {
        weak var thread: AuthenticatorThread?
    }

    private static let clients = Mutex(Shared())

    /// The one thread on which this process waits for the keys of others, as long as somebody does.
    package static func ofClients() throws(ThreadRefused) -> AuthenticatorThread {
        try clients.withLock { shared throws(ThreadRefused) in
            if let thread = shared.thread { return thread }
            let thread = try AuthenticatorThread()
            shared.thread = thread
            return thread
        }
    }
}
