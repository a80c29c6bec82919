// SPDX-License-Identifier: Apache-2.0
import Logging
import Storage
import Synchronization

/// Whether the database responds. It is asked when a health check or a failed request requires it,
/// and then until it responds again.
///
/// The log has one line when it stops to respond and one when it responds again, not one for each
/// request.
package final class StoreAvailability: Sendable {
    private struct State {
        var isAvailable = true
        var check: Check?
        var isWatched = false
    }

    /// A check that several callers share.
    private struct Check {
        let startedAt: ContinuousClock.Instant
        let task: Task<Bool, Never>
        var isFinished = false
    }

    /// The time in which the store has to respond.
    private static let limit = Duration.milliseconds(700)
    /// How long the result of a check is used.
    private static let freshness = Duration.milliseconds(200)
    private static let pause = Duration.milliseconds(250)

    private let state = Mutex(State())
    private let store: any StoreMaintenance
    private let log: Logger

    init(_ store: any StoreMaintenance, log: Logger) {
        self.store = store
        self.log = log
    }

    /// The result of the last check; nothing is asked.
    package var isAvailable: Bool { state.withLock { $0.isAvailable } }

    /// Asks the store. Returns within a second.
    package func check() async -> Bool { await sharedCheck().value }

    /// Returns whether the error is that of a store which does not respond. Then it is checked in
    /// the background, because one connection may be lost while others work.
    package func report(_ error: any Error) -> Bool {
        guard let error = error as? StorageError,
            error.code == .unavailable || error.code == .outcomeUnknown
        else { return false }
        _ = sharedCheck()
        return true
    }

    private func sharedCheck() -> Task<Bool, Never> {
        let now = ContinuousClock.now
        return state.withLock { state in
            if let check = state.check,
                !check.isFinished || check.startedAt + Self.freshness > now
            {
                return check.task
            }
            let task = Task { await performCheck() }
            state.check = Check(startedAt: now, task: task)
            return task
        }
    }

    private func performCheck() async -> Bool {
        let answers = await responds()
        let (hasChanged, watches) = state.withLock { state in
            let before = state
            state.check?.isFinished = true
            state.isAvailable = answers
            if !answers { state.isWatched = true }
            return (before.isAvailable != answers, !answers && !before.isWatched)
        }
        if hasChanged { report(answers) }
        if watches { watch() }
        return answers
    }

    /// Whichever is first: the response or the end of the time. A request to the store cannot be
    /// cancelled.
    private func responds() async -> Bool {
        let (results, result) = AsyncStream.makeStream(of: Bool.self)
        let store = store
        Task {
            let answers = (try? await store.ping()) != nil
            result.yield(answers)
        }
        let timer = Task {
            try? await Task.sleep(for: Self.limit)
            result.yield(false)
        }
        defer { timer.cancel() }
        for await answers in results { return answers }
        return false
    }

    private func watch() {
        Task { [weak self] in
            while let self, !isAvailable {
                try? await Task.sleep(for: Self.pause)
                _ = await check()
            }
            self?.state.withLock { $0.isWatched = false }
        }
    }

    private func report(_ answers: Bool) {
        if answers {
            log.notice("the database responds again")
        } else {
            log.error("the database does not respond; requests are answered with 503 until it does")
        }
    }
}
