// SPDX-License-Identifier: Apache-2.0
package import Platform
import Synchronization

/// A resolver with a timeout.
///
/// The system's resolver cannot be cancelled: a lookup that exceeds its timeout continues on a
/// separate thread. The number of such lookups is limited; at the limit, no other lookup is
/// started.
package final class BoundedHostResolver: Sendable {
    package typealias Lookup = @Sendable (String) async throws -> [NetworkAddress]

    /// The resolver is still busy with abandoned lookups.
    package struct TooMany: Error, CustomStringConvertible {
        package var description: String { "too many name lookups are pending" }
    }

    private struct State {
        var last = 0
        var running: Set<Int> = []
        /// The running lookups that were abandoned.
        var alone: Set<Int> = []
    }

    private let lookup: Lookup
    private let maximumAbandoned: Int
    private let state = Mutex(State())

    /// - Parameter maximumAbandoned: The maximum number of abandoned lookups.
    package init(_ lookup: @escaping Lookup, maximumAbandoned: Int = 16) {
        self.lookup = lookup
        self.maximumAbandoned = maximumAbandoned
    }

    /// The number of abandoned lookups.
    package var alone: Int { state.withLock { $0.alone.count } }

    /// - Throws: `WebClient.TooSlow`, ``TooMany``, `CancellationError`, and the lookup's errors.
    package func addresses(of host: String, within limit: Duration) async throws -> [NetworkAddress]
    {
        let number = try begin()
        let (answers, answer) = AsyncThrowingStream<[NetworkAddress], any Error>.makeStream()
        let work = Task { [lookup] in
            let outcome: Result<[NetworkAddress], any Error>
            do { outcome = .success(try await lookup(host)) } catch { outcome = .failure(error) }
            end(number)
            answer.yield(with: outcome)
            answer.finish()
        }
        let clock = Task {
            try await Task.sleep(for: limit)
            answer.finish(throwing: WebClient.TooSlow())
        }
        defer {
            clock.cancel()
            work.cancel()
            leave(number)
        }
        for try await found in answers { return found }
        throw CancellationError()
    }

    private func begin() throws -> Int {
        try state.withLock { state in
            guard state.alone.count < maximumAbandoned else { throw TooMany() }
            state.last += 1
            state.running.insert(state.last)
            return state.last
        }
    }

    private func end(_ number: Int) {
        state.withLock { state in
            state.running.remove(number)
            state.alone.remove(number)
        }
    }

    private func leave(_ number: Int) {
        state.withLock { state in
            if state.running.contains(number) { state.alone.insert(number) }
        }
    }
}
