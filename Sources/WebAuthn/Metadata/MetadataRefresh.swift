// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// An updater of metadata. It serves the last accepted metadata while the service is unavailable or
/// sends invalid data.
///
/// It uses neither HTTP nor files: the caller passes closures that fetch and save.
package actor MetadataRefresh {
    /// The response of a source.
    package enum Fetched: Sendable {
        case blob([UInt8])
        /// The source reports no change (HTTP 304).
        case unchanged
    }

    /// The outcome of one attempt.
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
    private let save: @Sendable ([UInt8]) async -> Void
    private var attempt: Task<Outcome, Never>?

    /// The newest metadata that were verified; `nil` until there are any.
    package private(set) var store: MetadataStore?

    /// - Parameters:
    ///   - verifier: Called for each BLOB, so that roots and revocation lists can be renewed.
    ///   - grace: How long after its `nextUpdate` a BLOB is still used for models; `nil` means
    ///     without limit.
    ///   - fetch: Fetches the BLOB: a file, or a URL over TLS.
    ///   - save: Saves the bytes of each accepted BLOB for the next process.
    ///   - report: Receives the outcome of each attempt, for the log.
    package init(
        verifier: @escaping @Sendable () async throws -> MetadataBlobVerifier,
        clock: any WallClock, schedule: Schedule = Schedule(), staleAfter grace: TimeSpan? = nil,
        fetch: @escaping @Sendable () async throws -> Fetched,
        save: @escaping @Sendable ([UInt8]) async -> Void = { _ in },
        report: @escaping @Sendable (Outcome) -> Void = { _ in }
    ) {
        self.verifier = verifier
        self.clock = clock
        self.schedule = schedule
        self.grace = grace
        self.fetch = fetch
        self.save = save
        self.report = report
    }

    /// Loads the BLOB that an earlier process saved and verifies it again.
    ///
    /// The service may then be unavailable at start, and an attacker cannot roll the metadata back
    /// across a restart.
    package func load(kept bytes: [UInt8]) async -> Outcome { await accept(bytes, isNew: false) }

    /// Makes one attempt. Concurrent callers share it.
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
            case .blob(let bytes): return await accept(bytes, isNew: true)
            case .unchanged: return .unchanged
            }
        } catch { return .failed("\(error)") }
    }

    private func accept(_ bytes: [UInt8], isNew: Bool) async -> Outcome {
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
        if isNew { await save(bytes) }
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

    /// Returns the snapshot for ceremonies at this moment.
    package func snapshot(
        policy: MetadataStatusPolicy = MetadataStatusPolicy()
    ) -> MetadataSnapshot? {
        store?.snapshot(at: clock.now, policy: policy, staleAfter: grace)
    }
}
