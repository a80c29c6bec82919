// SPDX-License-Identifier: Apache-2.0
import Synchronization
package import Threads

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The thread on which a software key works, or a client with keys: it runs what is enqueued on
/// it, and when nothing is left to run it waits, for all of its tasks at once, for their files and
/// moments (``ThreadWait``).
///
/// A task that prefers it can send a report and wait for the answer without a change of threads.
/// What has to block, a file being made durable, a TPM, a card, blocks here and not on the
/// cooperative pool; whoever may block for long has a thread of its own.
package final class AuthenticatorThread: SerialExecutor, TaskExecutor {
    /// A job, and the executor it must be run on, which it keeps alive until then.
    private struct Entry {
        let job: UnownedJob
        let executor: AuthenticatorThread
    }

    /// What the thread holds: it keeps this alive, not the executor, which ends it by going.
    private final class Loop: Sendable {
        struct State {
            var jobs: [Entry] = []
            var waits: [ThreadWait] = []
            var isResting = false
            var rests = 0
            var isOver = false
        }

        private enum Turn {
            case jobs([Entry])
            case rest([ThreadWait])
            case end
        }

        let state = Mutex(State())
        private let alarm: WakePipe

        init() throws(ThreadRefused) { alarm = try WakePipe() }

        /// Has the thread look again, when it rests.
        func change(_ body: (inout State) -> Void) {
            let wasResting = state.withLock { state in
                body(&state)
                defer { state.isResting = false }
                return state.isResting
            }
            if wasResting { alarm.wake() }
        }

        func run() {
            while true {
                forgetEnded()
                switch turn() {
                case .jobs(let entries): for entry in entries { run(entry) }
                case .rest(let waits): rest(waits)
                case .end: return
                }
            }
        }

        /// What was woken, or has come. The last of them may take the executor along, whose end
        /// is noted in the state: they go when it is free again.
        private func forgetEnded() {
            let ended = state.withLock { state in
                let index = state.waits.partition { !$0.isWaiting }
                defer { state.waits.removeSubrange(index...) }
                return Array(state.waits[index...])
            }
            withExtendedLifetime(ended) {}
        }

        private func turn() -> Turn {
            state.withLock { state in
                guard state.jobs.isEmpty else {
                    defer { state.jobs = [] }
                    return .jobs(state.jobs)
                }
                if state.isOver { return .end }
                state.isResting = true
                state.rests += 1
                return .rest(state.waits)
            }
        }

        private func run(_ entry: Entry) {
            entry.job.runSynchronously(
                isolatedTo: entry.executor.asUnownedSerialExecutor(),
                taskExecutor: entry.executor.asUnownedTaskExecutor())
        }

        private func rest(_ waits: [ThreadWait]) {
            var files = [pollfd(fd: alarm.reader, events: Int16(POLLIN), revents: 0)]
            var patience: Int64 = -1
            let start = SystemMonotonicClock().milliseconds
            for wait in waits {
                let request = wait.request
                // A negative file, of those who wait for a moment only, is passed over.
                files.append(pollfd(fd: request.file, events: request.events, revents: 0))
                guard request.deadline < .max else { continue }
                let left = max(0, request.deadline - start)
                patience = patience < 0 ? left : min(patience, left)
            }
            _ = poll(&files, numericCast(files.count), Int32(clamping: patience))
            state.withLock { $0.isResting = false }
            if files[0].revents != 0 { alarm.drain() }
            let now = SystemMonotonicClock().milliseconds
            for (wait, file) in zip(waits, files.dropFirst()) {
                if file.revents != 0 {
                    wait.end(.ready(file.revents))
                } else if wait.request.deadline <= now {
                    wait.end(.timedOut)
                }
            }
        }
    }

    private let loop: Loop

    package init() throws(ThreadRefused) {
        loop = try Loop()
        try BackgroundThread.start(niceness: 0) { [loop] in loop.run() }
    }

    deinit { loop.change { $0.isOver = true } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let entry = Entry(job: UnownedJob(job), executor: self)
        loop.change { $0.jobs.append(entry) }
    }

    /// Has the loop heed a wait, from any thread.
    func heed(_ wait: ThreadWait) {
        loop.change { state in
            if !state.waits.contains(where: { $0 === wait }) { state.waits.append(wait) }
        }
    }

    /// How often the thread has had nothing left to do but wait: each time costs two changes of
    /// threads at most, and what a ceremony costs of them is counted in tests.
    package var rests: Int { loop.state.withLock { $0.rests } }
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
