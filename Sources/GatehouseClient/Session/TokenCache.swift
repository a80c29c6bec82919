// SPDX-License-Identifier: Apache-2.0
import Primitives
import Synchronization

/// The tokens of one session in memory, for readers who must not wait for an actor.
final class TokenCache: Sendable {
    private struct State {
        var held: HeldTokens?
        var isRenewingAhead = false
        /// The time before which no renewal in advance is started.
        var pausesUntil = Timestamp(milliseconds: .min)
        /// The profile is removed: nothing is held any more, whatever comes in yet.
        var isOver = false
    }

    private let state: Mutex<State>

    init(_ tokens: StoredTokens?) { state = Mutex(State(held: tokens.map(HeldTokens.init))) }

    var tokens: StoredTokens? {
        get { state.withLock { $0.held?.tokens } }
        set {
            let held = newValue.map(HeldTokens.init)
            state.withLock { if !$0.isOver { $0 = State(held: held) } }
        }
    }

    /// Discards the tokens for the rest of this process.
    func end() { state.withLock { $0 = State(isOver: true) } }

    /// Returns the tokens if they are valid for that duration, and whether the caller should start
    /// a renewal in advance.
    func good(for need: TimeSpan, at now: Timestamp) -> (held: HeldTokens, renews: Bool)? {
        state.withLock { state in
            guard let held = state.held, held.tokens.isGood(for: need, at: now) else { return nil }
            let isTime = now >= held.tokens.renewsAt && now >= state.pausesUntil
            let renews = isTime && !state.isRenewingAhead
            if renews { state.isRenewingAhead = true }
            return (held, renews)
        }
    }

    /// Prevents renewals in advance until that time, after one has failed.
    func pauseRenewingAhead(until time: Timestamp) {
        state.withLock { state in
            state.pausesUntil = time
            state.isRenewingAhead = false
        }
    }
}

/// Tokens, and what callers get to see of them: made once, for it is asked for before each request.
final class HeldTokens: Sendable {
    let tokens: StoredTokens
    let shown: AccessToken

    init(_ tokens: StoredTokens) {
        self.tokens = tokens
        shown = AccessToken(tokens)
    }
}
