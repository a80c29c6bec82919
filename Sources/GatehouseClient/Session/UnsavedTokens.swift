// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How a session's tokens stand before they are renewed.
struct TokenStatus: Sendable {
    /// The living ones; `nil` for somebody who is signed out.
    var tokens: StoredTokens?
    /// Whether the store has a record of theirs, perhaps an older one.
    var hasRecord = false
    /// Why the store is not known to hold these very tokens; `nil` when it does.
    var trouble: (any Error)?
}

/// Tokens that the store would not take, in the memory of this process alone.
final class UnsavedTokens: Sendable {
    private struct Held {
        var tokens: StoredTokens
        /// Whether the store has an older record: when that is gone, somebody has signed out.
        var coversRecord: Bool
    }

    private let state = Mutex<Held?>(nil)

    /// See ``TokenStatus/hasRecord``; `nil` when nothing is held.
    var coversRecord: Bool? { state.withLock { $0?.coversRecord } }

    func hold(_ tokens: StoredTokens, overRecord: Bool) {
        state.withLock { $0 = Held(tokens: tokens, coversRecord: overRecord) }
    }

    func letGo() { state.withLock { $0 = nil } }

    /// Those that are held, or those that are known, whichever are newer.
    func newer(of known: StoredTokens?) -> StoredTokens? {
        state.withLock { held in
            guard let held = held?.tokens, held.generation > known?.generation ?? .min else {
                return known
            }
            return held
        }
    }

    /// Those that are held, unless others have gone on meanwhile, with newer ones or by signing
    /// out: then nothing is held any more.
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
