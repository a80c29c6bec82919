import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import CTAP
import Primitives
import Support
import Synchronization

/// A security key in software, and whether the person touches it.
struct SecurityStick {
    let keys: PresenceKeys
    let agrees: Agreement

    final class Agreement: Sendable {
        private enum Mood { case agrees, refuses, waits }

        private struct State {
            var mood = Mood.agrees
            var asked = 0
            var isHeld = false
            var wasTold = false
        }

        private let state = Mutex(State())
        var asked: Int { state.withLock { $0.asked } }
        /// Whether the key waits for a touch that does not come.
        var isHeld: Bool { state.withLock { $0.isHeld } }
        /// Whether it was told to wait no longer.
        var wasTold: Bool { state.withLock { $0.wasTold } }

        func agree() { state.withLock { $0.mood = .agrees } }
        func refuse() { state.withLock { $0.mood = .refuses } }
        /// The person does not touch it from now on.
        func hold() { state.withLock { $0.mood = .waits } }

        fileprivate func ask() async -> GestureOutcome {
            let mood = state.withLock { state in
                state.asked += 1
                if state.mood == .waits { state.isHeld = true }
                return state.mood
            }
            switch mood {
            case .agrees: return .approved
            case .refuses: return .denied
            case .waits:
                let (stream, continuation) = AsyncStream<Void>.makeStream()
                for await _ in stream {}
                continuation.finish()
                state.withLock { ($0.isHeld, $0.wasTold) = (false, Task.isCancelled) }
                return .timedOut
            }
        }
    }

    init() throws {
        let agrees = Agreement()
        self.agrees = agrees
        let random = SystemRandomSource()
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AskingGesture { _ in await agrees.ask() },
            clock: ManualClock(), random: random)
        keys = PresenceKeys(
            source: FixedAuthenticators([AuthenticatorInProcess(key, name: "stick")]),
            random: random)
    }
}

/// Types the PIN of the security key, and that of the key behind it, each where it is asked for.
final class AnnaAtStick: AgentConversation {
    let hasBrowser = true
    private let pins: Mutex<[String]>
    private let asked = Mutex<[AgentPrompt]>([])
    private let told = Mutex<[AgentStep]>([])
    private let ends = Mutex<(hasLeft: Bool, waiters: [AsyncStream<Void>.Continuation])>(
        (false, []))

    /// - Parameter pins: What she types as her own; the last again and again.
    init(_ pins: [String] = ["3141-59"]) { self.pins = Mutex(pins) }

    var questions: [AgentPrompt] { asked.withLock { $0 } }
    var steps: [AgentStep] { told.withLock { $0 } }

    func ask(_ question: AgentPrompt) async throws -> String {
        asked.withLock { $0.append(question) }
        guard case .secret(let text) = question else { throw PresentationError.cancelled }
        if text.contains("security key") { return "1357" }
        if text.hasPrefix("The same PIN"), isOfStick { return "1357" }
        return pins.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }

    /// Whether the question before the last was about the security key.
    private var isOfStick: Bool {
        guard case .secret(let text)? = questions.dropLast().last else { return false }
        return text.contains("security key")
    }

    func report(_ step: AgentStep) async { told.withLock { $0.append(step) } }

    /// She hangs up.
    func leave() {
        ends.withLock { ends in
            ends.hasLeft = true
            for waiter in ends.waiters { waiter.finish() }
        }
    }

    func end() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        ends.withLock { ends in
            if ends.hasLeft { continuation.finish() } else { ends.waiters.append(continuation) }
        }
        for await _ in stream {}
    }
}
