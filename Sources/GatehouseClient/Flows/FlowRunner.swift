// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A ceremony that runs and now and then asks the app something.
///
/// Whoever holds it can wait for its steps and its outcome; when nobody does any more, or the task
/// that waits is cancelled, the ceremony is cancelled with whatever request is under way.
final class FlowRunner<Step: Sendable, Outcome: Sendable>: Sendable {
    typealias Body = @Sendable (FlowAsker<Step>) async throws -> Outcome

    private let steps: AsyncStream<Step>
    private let task: Task<Outcome, any Error>
    private let isWatched = Mutex(false)

    init(_ domain: IdentityError.Domain, _ body: @escaping Body) {
        let (steps, continuation) = AsyncStream<Step>.makeStream()
        self.steps = steps
        task = Task {
            defer { continuation.finish() }
            do {
                return try await body(FlowAsker(steps: continuation))
            } catch is CancellationError {
                throw IdentityError(domain, .cancelled, "the task was cancelled")
            }
        }
    }

    deinit { task.cancel() }

    /// For somebody who takes the steps.
    func watch() -> AsyncStream<Step>.Iterator {
        isWatched.withLock { $0 = true }
        return steps.makeAsyncIterator()
    }

    /// When nobody takes the steps, what is asked is let go of: it would be waited for for ever.
    func outcome() async throws -> Outcome {
        let task = task
        if !isWatched.withLock({ $0 }) { for await _ in steps {} }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// The next step of `iterator`; `nil` after the last, or the error that ended it all.
    func next(
        _ iterator: inout AsyncStream<Step>.Iterator
    ) async throws -> Step? {
        if !Task.isCancelled, let step = await iterator.next(isolation: #isolation) { return step }
        if Task.isCancelled { task.cancel() }
        _ = try await task.value
        return nil
    }
}

/// How a ceremony asks.
struct FlowAsker<Step: Sendable>: Sendable {
    private let show: @Sendable (Step) -> Void

    init(steps: AsyncStream<Step>.Continuation) { show = { steps.yield($0) } }

    private init(show: @escaping @Sendable (Step) -> Void) { self.show = show }

    /// For a ceremony that is part of this one, and whose steps are among this one's.
    func asking<Part: Sendable>(
        _ step: @escaping @Sendable (Part) -> Step
    ) -> FlowAsker<Part> {
        let show = show
        return FlowAsker<Part>(show: { show(step($0)) })
    }

    /// Shows a step that carries a challenge, and waits for its answer.
    func ask<Answer: Sendable>(_ step: (OneShotContinuation<Answer>) -> Step) async throws -> Answer
    {
        let slot = OneShotContinuation<Answer>()
        // Whoever gets the step holds the challenge; it is not held here.
        show(step(slot))
        return try await slot.answer()
    }
}
