// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A ceremony that runs and now and then asks the app something.
///
/// The holder can wait for the steps and the outcome. The ceremony and its current request are
/// cancelled if the holder releases it or the waiting task is cancelled.
final class FlowRunner<Step: Sendable, Outcome: Sendable>: Sendable {
    typealias Body = @Sendable (FlowPrompter<Step>) async throws -> Outcome

    private let steps: AsyncStream<Step>
    private let task: Task<Outcome, any Error>
    private let isWatched = Mutex(false)

    init(_ domain: IdentityError.Domain, _ body: @escaping Body) {
        let (steps, continuation) = AsyncStream<Step>.makeStream()
        self.steps = steps
        task = Task {
            defer { continuation.finish() }
            do {
                return try await body(FlowPrompter(steps: continuation))
            } catch is CancellationError {
                throw IdentityError(domain, .cancelled, "the task was cancelled")
            }
        }
    }

    deinit { task.cancel() }

    /// Returns the steps for a reader.
    func watch() -> AsyncStream<Step>.Iterator {
        isWatched.withLock { $0 = true }
        return steps.makeAsyncIterator()
    }

    /// Waits for the end. If the steps are not read, they are released, because no response could
    /// arrive.
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

/// Sends the steps of a ceremony to the app, and waits for the responses.
struct FlowPrompter<Step: Sendable>: Sendable {
    private let show: @Sendable (Step) -> Void

    init(steps: AsyncStream<Step>.Continuation) { show = { steps.yield($0) } }

    private init(show: @escaping @Sendable (Step) -> Void) { self.show = show }

    /// Returns a prompter for a part of this ceremony, whose steps are converted to steps of this
    /// one.
    func map<Part: Sendable>(
        _ step: @escaping @Sendable (Part) -> Step
    ) -> FlowPrompter<Part> {
        let show = show
        return FlowPrompter<Part>(show: { show(step($0)) })
    }

    /// Shows a step that carries a challenge, and waits for its answer.
    func prompt<Answer: Sendable>(
        _ step: (OneShotContinuation<Answer>) -> Step
    ) async throws -> Answer {
        let continuation = OneShotContinuation<Answer>()
        // The reader of the step retains the challenge, this function does not.
        show(step(continuation))
        return try await continuation.answer()
    }
}
