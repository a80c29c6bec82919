// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Synchronization

/// A cache of values of the store.
///
/// A value is used for at most `freshness`, so changes of another process become visible after this
/// time. A change of this process must call ``invalidate()``. If the cache exceeds `capacity`, the
/// expired entries are removed, or else all.
package final class ExpiringCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var loadedAt: Timestamp
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// Increases with every invalidation. A value whose load began before one is not cached.
        var epoch: UInt64 = 0
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let freshness: TimeSpan

    package init(capacity: Int, freshness: TimeSpan = .seconds(1)) {
        self.capacity = capacity
        self.freshness = freshness
    }

    /// Returns the fresh value, or the result of `load`. `nil` is not cached.
    package func value(
        for key: Key, now: Timestamp, load: () async throws -> Value?
    ) async throws -> Value? {
        let (cached, epoch) = state.withLock { ($0.entries[key], $0.epoch) }
        if let cached, now - cached.loadedAt < freshness, now >= cached.loadedAt {
            return cached.value
        }
        guard let value = try await load() else { return nil }
        state.withLock { state in
            guard state.epoch == epoch else { return }
            makeRoom(in: &state, now: now)
            state.entries[key] = Entry(value: value, loadedAt: now)
        }
        return value
    }

    /// Returns the last value, however old it is.
    package func last(for key: Key) -> Value? { state.withLock { $0.entries[key]?.value } }

    /// Removes one entry, because the store may have a newer value.
    package func invalidate(_ key: Key) {
        state.withLock {
            $0.entries[key] = nil
            $0.epoch &+= 1
        }
    }

    /// Removes all entries. Called after this process has written to the store.
    package func invalidate() {
        state.withLock {
            $0.entries.removeAll(keepingCapacity: true)
            $0.epoch &+= 1
        }
    }

    private func makeRoom(in state: inout State, now: Timestamp) {
        guard state.entries.count >= capacity else { return }
        state.entries = state.entries.filter { now - $0.value.loadedAt < freshness }
        if state.entries.count >= capacity { state.entries.removeAll(keepingCapacity: true) }
    }
}
