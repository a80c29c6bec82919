// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Keeps metadata fresh, and keeps what it has when the service is away or sends nonsense.
///
/// It knows neither HTTP nor files: whoever makes one says how to fetch.
package actor MetadataRefresh {
    /// What a source answered.
    package enum Fetched: Sendable {
        case blob([UInt8])
        /// The source says that nothing has changed (HTTP 304).
        case unchanged
    }

    /// What became of one attempt.
    package enum Outcome: Sendable, Equatable {
        /// A newer BLOB was taken over; its number.
        case replaced(Int64)
        case unchanged
        /// It was not taken over, and the one before stays.
        case refused(MetadataRefusal)
        /// The source could not be reached, and the BLOB before stays.
        case failed(String)
    }

    package struct Schedule: Sendable {
        /// Between two attempts when all is well.
        package var interval = TimeSpan.hours(6)
        /// After a failure.
        package var retry = TimeSpan.minutes(15)

        package init() {}
    }

    private let verifier: @Sendable () async throws -> MetadataBlobVerifier
    private let clock: any WallClock
    private let schedule: Schedule
    private let grace: TimeSpan?
    private let fetch: @Sendable () async throws -> Fetched
    private let report: @Sendable (Outcome) -> Void
    private let keep: @Sendable ([UInt8]) async -> Void
    private var attempt: Task<Outcome, Never>?

    /// The newest metadata that were verified; `nil` until there are any.
    package private(set) var store: MetadataStore?

    /// - Parameters:
    ///   - verifier: Asked anew for each BLOB, so that roots and revocation lists can be renewed.
    ///   - grace: How long after its `nextUpdate` a BLOB still vouches for models; `nil` means
    ///     for ever.
    ///   - fetch: Gets the BLOB: a file, or a URL over TLS.
    ///   - keep: Told the bytes of each BLOB that is taken over, so that they outlive the process.
    ///   - report: Told what became of each attempt, for the log.
    package init(
        verifier: @escaping @Sendable () async throws -> MetadataBlobVerifier,
        clock: any WallClock, schedule: Schedule = Schedule(), staleAfter grace: TimeSpan? = nil,
        fetch: @escaping @Sendable () async throws -> Fetched,
        keep: @escaping @Sendable ([UInt8]) async -> Void = { _ in },
        report: @escaping @Sendable (Outcome) -> Void = { _ in }
    ) {
        self.verifier = verifier
        self.clock = clock
        self.schedule = schedule
        self.grace = grace
        self.fetch = fetch
        self.keep = keep
        self.report = report
    }

    /// Takes over what an earlier process kept, verified again, so that the service may be away
    /// while we start, and so that nobody can roll back across a restart.
    package func load(kept bytes: [UInt8]) async -> Outcome { await take(bytes, isNew: false) }

    /// One attempt. Callers that come while one is under way share it.
    package func refresh() async -> Outcome {
        if let attempt { return await attempt.value }
        let task = Task { await self.attemptOnce() }
        attempt = task
        let outcome = await task.value
        attempt = nil
        report(outcome)
        return outcome
    }

    private func attemptOnce() async -> Outcome {
        do {
            switch try await fetch() {
            case .blob(let bytes): return await take(bytes, isNew: true)
            case .unchanged: return .unchanged
            }
        } catch { return .failed("\(error)") }
    }

    private func take(_ bytes: [UInt8], isNew: Bool) async -> Outcome {
        let blob: MetadataBlob
        do {
            blob = try await verifier().verify(bytes, replacing: store?.number, now: clock.now)
        } catch let refusal as MetadataRefusal {
            return .refused(refusal)
        } catch { return .failed("\(error)") }
        // Others may have been here while the signature was checked.
        if let number = store?.number {
            guard blob.number >= number else {
                return .refused(MetadataRefusal(.rolledBack, "\(blob.number) after \(number)"))
            }
            if blob.number == number { return .unchanged }
        }
        store = MetadataStore(blob)
        if isNew { await keep(bytes) }
        return .replaced(blob.number)
    }

    /// Refreshes until the task is cancelled.
    ///
    /// - Parameter sleep: Waits; throws when the task is cancelled.
    package func run(
        sleep: @Sendable (TimeSpan) async throws -> Void = {
            try await Task.sleep(for: .milliseconds($0.milliseconds))
        }
    ) async {
        while !Task.isCancelled {
            let outcome = await refresh()
            let pause: TimeSpan
            switch outcome {
            case .replaced, .unchanged: pause = schedule.interval
            case .refused, .failed: pause = schedule.retry
            }
            do { try await sleep(pause) } catch { return }
        }
    }

    /// What ceremonies ask, now.
    package func snapshot(
        policy: MetadataStatusPolicy = MetadataStatusPolicy()
    ) -> MetadataSnapshot? {
        store?.snapshot(at: clock.now, policy: policy, staleAfter: grace)
    }
}
