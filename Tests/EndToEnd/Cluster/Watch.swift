// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Synchronization

/// What all clients of a load see.
final class Watch: Sendable {
    /// A response of 5xx.
    struct Failure: Sendable, CustomStringConvertible {
        let sent: ContinuousClock.Instant
        let received: ContinuousClock.Instant
        let answer: HTTPAnswer

        /// What the provider says when it has no database.
        var isTemporary: Bool { answer.status == 503 && answer["retry-after"] != nil }

        var description: String { "\(answer.status) \(answer.text.prefix(200))" }
    }

    private struct State {
        var isOver = false
        var answers = 0
        var interruptions = 0
        var failures: [Failure] = []
        var surprise: String?
    }

    private let state = Mutex(State())

    var isOver: Bool { state.withLock { $0.isOver } }
    var answers: Int { state.withLock { $0.answers } }
    var interruptions: Int { state.withLock { $0.interruptions } }
    var failures: [Failure] { state.withLock { $0.failures } }

    func end() { state.withLock { $0.isOver = true } }
    func record(surprise: String) { state.withLock { $0.surprise = surprise } }
    func answered() { state.withLock { $0.answers += 1 } }

    /// Responses of 5xx that were received before the outage, or whose request was sent later than
    /// `bound` after its end.
    func failures(outside outage: Outage, bound: Duration) -> [Failure] {
        failures.filter { $0.received < outage.start || $0.sent > outage.end + bound }
    }

    /// The response; `nil` after an interruption, or for 5xx, which is recorded.
    func answer(_ exchange: () throws -> HTTPAnswer) throws -> HTTPAnswer? {
        let sent = ContinuousClock.now
        do {
            let answer = try exchange()
            guard answer.status >= 500 else { return answer }
            let failure = Failure(sent: sent, received: .now, answer: answer)
            state.withLock { $0.failures.append(failure) }
        } catch is Connection.Failure {
            state.withLock { $0.interruptions += 1 }
        }
        usleep(20_000)
        return nil
    }

    /// Waits until the clients have more answers.
    func wait(forMore count: Int) async throws {
        let enough = answers + count
        try await eventually("\(count) more answers", within: .seconds(60)) {
            if let surprise = state.withLock({ $0.surprise }) { throw HarnessError(surprise) }
            return answers >= enough ? true : nil
        }
    }
}
