// SPDX-License-Identifier: Apache-2.0
import Platform
import Synchronization

/// The loop of an ``AuthenticatorThread``: it runs jobs, and waits if there are none. The executors
/// own it, and it ends with the last of them.
final class AuthenticatorLoop: Sendable {
    /// A job and its executor, which it retains until it has run.
    struct Entry: Sendable {
        enum ExecutionContext: Sendable {
            case actor(AuthenticatorThread)
            case tasks(AuthenticatorTasks)
        }

        let job: UnownedJob
        let place: ExecutionContext

        func run() {
            switch place {
            case .actor(let thread):
                job.runSynchronously(
                    isolatedTo: thread.asUnownedSerialExecutor(),
                    taskExecutor: thread.tasks.asUnownedTaskExecutor())
            case .tasks(let tasks): job.runSynchronously(on: tasks.asUnownedTaskExecutor())
            }
        }
    }

    private let turns: Turns

    init() throws(PlatformError) {
        turns = try Turns()
        try BackgroundThread.start(niceness: 0) { [turns] in turns.run() }
    }

    deinit { turns.change { $0.isEnded = true } }

    func run(_ entry: Entry) {
        turns.change { state in
            state.jobs.append(entry)
            state.steps += 1
        }
    }

    func add(_ wait: ThreadWait) {
        turns.change { state in
            if !state.waits.contains(where: { $0 === wait }) { state.waits.append(wait) }
        }
    }

    var rests: Int { turns.state.withLock { $0.rests } }
    var steps: Int { turns.state.withLock { $0.steps } }
}

extension AuthenticatorLoop {
    /// The state that the thread owns. The thread does not retain the loop, whose deinitialization
    /// ends it.
    private final class Turns: Sendable {
        struct State {
            var jobs: [Entry] = []
            var waits: [ThreadWait] = []
            var isWaiting = false
            var rests = 0
            var steps = 0
            var isEnded = false
        }

        private enum Turn {
            case jobs
            case release([ThreadWait])
            case wait([ThreadWait])
            case end
        }

        let state = Mutex(State())
        private let alarm: WakePipe

        init() throws(PlatformError) { alarm = try WakePipe() }

        /// Changes the state and wakes the thread if it waits.
        func change(_ body: (inout State) -> Void) {
            let wasWaiting = state.withLock { state in
                body(&state)
                defer { state.isWaiting = false }
                return state.isWaiting
            }
            if wasWaiting { alarm.wake() }
        }

        func run() {
            // Two buffers in alternation: one is filled while the other is processed.
            var jobs: [Entry] = []
            while true {
                switch next(&jobs) {
                case .jobs:
                    for entry in jobs { entry.run() }
                    // The last entry may release the loop, whose deinitialization locks the state.
                    // So entries and waits are released while the state is unlocked.
                    jobs.removeAll(keepingCapacity: true)
                case .release(let ended): withExtendedLifetime(ended) {}
                case .wait(let waits): wait(waits)
                case .end: return
                }
            }
        }

        private func next(_ jobs: inout [Entry]) -> Turn {
            state.withLock { state in
                guard state.jobs.isEmpty else {
                    swap(&state.jobs, &jobs)
                    return .jobs
                }
                let ended = state.waits.partition { !$0.isWaiting }
                guard ended == state.waits.endIndex else {
                    defer { state.waits.removeSubrange(ended...) }
                    return .release(Array(state.waits[ended...]))
                }
                if state.isEnded { return .end }
                state.isWaiting = true
                state.rests += 1
                return .wait(state.waits)
            }
        }

        private func wait(_ waits: [ThreadWait]) {
            var files = PollSet()
            files.reserveCapacity(1 + waits.count)
            files.append(alarm.reader, for: .readable)
            var timeout: Int64 = -1
            let start = SystemMonotonicClock().milliseconds
            for wait in waits {
                let request = wait.request
                // A negative file, of those who wait for a moment only, is passed over.
                files.append(
                    Descriptor(rawValue: request.file), for: PollEvents(rawValue: request.events))
                guard request.deadline < .max else { continue }
                let left = max(0, request.deadline - start)
                timeout = timeout < 0 ? left : min(timeout, left)
            }
            _ = try? files.wait(milliseconds: timeout)
            state.withLock { $0.isWaiting = false }
            if !files[0].isEmpty { alarm.drain() }
            let now = SystemMonotonicClock().milliseconds
            for (index, wait) in waits.enumerated() {
                let events = files[index + 1]
                if !events.isEmpty {
                    wait.end(.ready(events.rawValue))
                } else if wait.request.deadline <= now {
                    wait.end(.timedOut)
                }
            }
        }
    }
}
