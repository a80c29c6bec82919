// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The place where one answer is waited for. The first to come is the one that counts.
final class AnswerSlot<Answer: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Answer, any Error>)
        case over
    }

    private let state = Mutex(State.empty)

    /// Waits. An answer or end that came before is an end.
    func answer() async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let isOver = state.withLock { state in
                    guard case .empty = state else { return true }
                    state = .waiting(waiter)
                    return false
                }
                if isOver { waiter.resume(throwing: Self.cancelled) }
            }
        } onCancel: {
            finish(.failure(Self.cancelled))
        }
    }

    /// `false` when it was over before.
    @discardableResult
    func finish(_ result: Result<Answer, any Error>) -> Bool {
        let before = state.withLock { state in
            defer { state = .over }
            return state
        }
        switch before {
        case .empty: return true
        case .over: return false
        case .waiting(let waiter):
            waiter.resume(with: result)
            return true
        }
    }

    private static var cancelled: IdentityError {
        IdentityError(.generic, .cancelled, "cancelled, or let go of without an answer")
    }

    /// What a challenge does when nobody holds it any more.
    func abandon() { finish(.failure(Self.cancelled)) }

    /// What a challenge does with an answer.
    func give(_ answer: Answer, in domain: IdentityError.Domain) throws(IdentityError) {
        guard finish(.success(answer)) else {
            throw IdentityError(
                domain, .challengeAlreadyAnswered, "this challenge was answered before")
        }
    }
}
