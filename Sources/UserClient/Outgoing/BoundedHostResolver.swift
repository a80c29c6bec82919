// SPDX-License-Identifier: Apache-2.0
package import Platform
import Synchronization

/// Lookups of names for whom nobody waits longer than they will.
///
/// The system's resolver cannot be called back: a lookup that outlasts its time goes on alone, on a
/// thread of its own. Of those there are so many at most; while there are, no other is begun.
package final class BoundedHostResolver: Sendable {
    package typealias Lookup = @Sendable (String) async throws -> [NetworkAddress]

    /// The resolver is still busy with names that nobody waits for.
    package struct TooMany: Error, CustomStringConvertible {
        package var description: String { "the resolver does not come to an end" }
    }

    private struct State {
        var last = 0
        var running: Set<Int> = []
        /// Of the running ones, those that nobody waits for.
        var alone: Set<Int> = []
    }

    private let lookup: Lookup
    private let most: Int
    private let state = Mutex(State())

    /// - Parameter most: How many may go on alone.
    package init(_ lookup: @escaping Lookup, most: Int = 16) {
        self.lookup = lookup
        self.most = most
    }

    /// How many go on alone now.
    package var alone: Int { state.withLock { $0.alone.count } }

    /// - Throws: `WebClient.TooSlow`, ``TooMany``, `CancellationError`, and what the lookup throws.
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
            guard state.alone.count < most else { throw TooMany() }
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
