// SPDX-License-Identifier: Apache-2.0
import Primitives
import Synchronization

/// The tokens of one session in memory, for readers who must not wait for an actor.
final class TokenCache: Sendable {
    private struct State {
        var tokens: StoredTokens?
        var isRenewingAhead = false
        /// Before then nobody renews ahead.
        var pausesUntil = Timestamp(milliseconds: .min)
    }

    private let state: Mutex<State>

    init(_ tokens: StoredTokens?) { state = Mutex(State(tokens: tokens)) }

    var tokens: StoredTokens? {
        get { state.withLock { $0.tokens } }
        set {
            state.withLock {
                $0 = State(tokens: newValue)
            }
        }
    }

    /// The tokens, when they are good for that long, and whether the caller is the one who should
    /// have them renewed ahead of time.
    func good(for need: TimeSpan, at now: Timestamp) -> (tokens: StoredTokens, renews: Bool)? {
        state.withLock { state in
            guard let tokens = state.tokens, tokens.isGood(for: need, at: now) else { return nil }
            let renews =
                now >= tokens.renewsAt && now >= state.pausesUntil && !state.isRenewingAhead
            if renews { state.isRenewingAhead = true }
            return (tokens, renews)
        }
    }

    /// Renewing has failed: while the token still serves, nobody tries again before then.
    func pauseRenewingAhead(until time: Timestamp) {
        state.withLock { state in
            state.pausesUntil = time
            state.isRenewingAhead = false
        }
    }
}
