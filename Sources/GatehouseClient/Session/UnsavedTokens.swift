// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Tokens that the store would not take, in the memory of this process alone.
final class UnsavedTokens: Sendable {
    private struct Held {
        var tokens: StoredTokens
        /// Whether the store has an older record. If it has been deleted, the person was signed
        /// out.
        var coversRecord: Bool
    }

    private let state = Mutex<Held?>(nil)

    /// See ``TokenStatus/hasRecord``; `nil` when nothing is held.
    var coversRecord: Bool? { state.withLock { $0?.coversRecord } }

    func save(_ tokens: StoredTokens, overRecord: Bool) {
        state.withLock { $0 = Held(tokens: tokens, coversRecord: overRecord) }
    }

    func clear() { state.withLock { $0 = nil } }

    /// Returns the unsaved tokens or the given ones, whichever are newer.
    func newer(of known: StoredTokens?) -> StoredTokens? {
        state.withLock { held in
            guard let held = held?.tokens, held.generation > known?.generation ?? .min else {
                return known
            }
            return held
        }
    }

    /// Returns the unsaved tokens, unless other processes have stored newer ones or signed the
    /// person out: the unsaved tokens are discarded then.
    func tokens(after kept: StoredTokens?) -> StoredTokens? {
        state.withLock { held in
            guard let known = held else { return nil }
            let isOver =
                kept.map { $0.generation >= known.tokens.generation } ?? known.coversRecord
            if isOver { held = nil }
            return held?.tokens
        }
    }
}
