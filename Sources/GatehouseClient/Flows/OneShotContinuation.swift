// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The place where one answer is waited for. The first to come is the one that counts.
package final class OneShotContinuation<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        /// The result arrived before a task waited for it.
        case early(Result<Value, any Error>)
        case over
    }

    private let state = Mutex(State.empty)

    package init() {}

    /// Waits, unless the answer was faster: who is asked may answer before the question has been
    /// put down.
    package func answer() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let early = state.withLock { state -> Result<Value, any Error>? in
                    switch state {
                    case .empty:
                        state = .waiting(waiter)
                        return nil
                    case .early(let result):
                        state = .over
                        return result
                    case .waiting, .over: return .failure(Self.cancelled)
                    }
                }
                if let early { waiter.resume(with: early) }
            }
        } onCancel: {
            finish(.failure(Self.cancelled))
        }
    }

    /// Returns `false` if a result existed already.
    @discardableResult
    package func finish(_ result: Result<Value, any Error>) -> Bool {
        let before = state.withLock { state in
            let before = state
            switch state {
            case .empty: state = .early(result)
            case .waiting: state = .over
            case .early, .over: break
            }
            return before
        }
        switch before {
        case .empty: return true
        case .early, .over: return false
        case .waiting(let waiter):
            waiter.resume(with: result)
            return true
        }
    }

    private static var cancelled: IdentityError {
        IdentityError(.generic, .cancelled, "cancelled, or released without a response")
    }

    /// Cancels. Called when the challenge is released.
    package func abandon() { finish(.failure(Self.cancelled)) }

    /// Resumes with the response to a challenge.
    func respond(_ answer: Value, in domain: IdentityError.Domain) throws(IdentityError) {
        guard finish(.success(answer)) else {
            throw IdentityError(
                domain, .challengeAlreadyAnswered, "the challenge was responded to before")
        }
    }
}
