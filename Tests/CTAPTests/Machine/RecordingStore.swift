// SPDX-License-Identifier: Apache-2.0
import CTAP
import Synchronization

/// A store in memory that records each save, and fails on request.
final class RecordingStore: AuthenticatorStore {
    private struct State {
        var saves: [AuthenticatorState] = []
        var fails = false
    }

    private let recorded = Mutex(State())

    /// All saved states, in order. The first one is the new key.
    var saves: [AuthenticatorState] { recorded.withLock { $0.saves } }

    /// Makes every later save fail.
    func fail() { recorded.withLock { $0.fails = true } }

    func load() -> AuthenticatorState? { saves.last }

    func save(_ state: AuthenticatorState) throws(AuthenticatorStoreError) {
        let isSaved = recorded.withLock { recorded in
            if !recorded.fails { recorded.saves.append(state) }
            return !recorded.fails
        }
        guard isSaved else { throw .system(call: "write", code: 28) }
    }
}
