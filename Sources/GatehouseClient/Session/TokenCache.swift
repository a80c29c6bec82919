// SPDX-License-Identifier: Apache-2.0
import Primitives
import Synchronization

/// The tokens of one session in memory, for readers who must not wait for an actor.
final class TokenCache: Sendable {
    private struct State {
        var tokens: StoredTokens?
        var isRenewingAhead = false
    }

    private let state: Mutex<State>

    init(_ tokens: StoredTokens?) { state = Mutex(State(tokens: tokens)) }

    var tokens: StoredTokens? {
        get { state.withLock { $0.tokens } }
        set {
            state.withLock {
                $0.tokens = newValue
                $0.isRenewingAhead = false
            }
        }
    }

    /// The tokens, when they are good for that long, and whether the caller is the one who should
    /// have them renewed ahead of time.
    func good(for need: TimeSpan, at now: Timestamp) -> (tokens: StoredTokens, renews: Bool)? {
        state.withLock { state in
            guard let tokens = state.tokens, tokens.isGood(for: need, at: now) else { return nil }
            let renews = now >= tokens.renewsAt && !state.isRenewingAhead
            if renews { state.isRenewingAhead = true }
            return (tokens, renews)
        }
    }

    /// Renewing ahead has failed: whoever asks next may try again.
    func stopRenewingAhead() { state.withLock { $0.isRenewingAhead = false } }
}
