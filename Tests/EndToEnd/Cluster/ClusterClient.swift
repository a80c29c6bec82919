// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Synchronization

/// One client of processes behind a balancer. It creates codes, redeems them and refreshes tokens,
/// and continues after interruptions, as applications do. Blocking, on a separate thread.
struct ClusterClient {
    let agent: FormAgent
    let random: SeededRandom
    let watch: Watch
    private(set) var ledger = Ledger()

    init(agent: FormAgent, seed: UInt64, watch: Watch) {
        (self.agent, self.watch) = (agent, watch)
        random = SeededRandom(seed: seed)
    }

    private var tokens: TokenRequests { TokenRequests(port: agent.port) }

    mutating func work() -> Ledger {
        while !watch.isOver {
            do {
                try step()
                watch.answered()
            } catch {
                ledger.surprises.append("\(error)")
                return ledger
            }
        }
        return ledger
    }

    private mutating func step() throws {
        guard random.next() % 4 == 0 || ledger.families.isEmpty else {
            return try refresh(Int(random.next() % UInt64(ledger.families.count)))
        }
        guard let code = try makeCode() else { return }
        ledger.codes.append(.init(value: code))
        if random.next() % 4 > 0 { try redeem(ledger.codes.count - 1) }
    }

    /// `nil` if the response was lost: then there may be one more code.
    private func makeCode() throws -> String? {
        let query = formEncoded([
            ("response_type", "code"), ("client_id", "app"),
            ("redirect_uri", LoadClient.callback), ("scope", "openid offline_access"),
            ("code_challenge", PKCEPair.challenge), ("code_challenge_method", "S256"),
        ])
        guard let answer = try watch.answer({ try agent.send(.init(path: "/authorize?\(query)")) })
        else { return nil }
        let location = URLComponents(string: answer["location"] ?? "")
        guard let code = location?.queryItems?.first(where: { $0.name == "code" })?.value else {
            throw HarnessError("no code: \(answer.status) \(answer["location"] ?? answer.text)")
        }
        return code
    }

    /// Tries until there is a response. After a lost one the code may be consumed.
    private mutating func redeem(_ index: Int) throws {
        let code = ledger.codes[index].value
        while !watch.isOver {
            ledger.codes[index].tries += 1
            guard let answer = try watch.answer({ try tokens.redeem(code) }) else { continue }
            if let token = answer.refreshToken {
                ledger.codes[index].successes += 1
                ledger.families.append(.init(tokens: [token]))
            } else if ledger.codes[index].tries == 1 {
                throw HarnessError("code refused: \(answer.text)")
            }
            return
        }
    }

    /// Tries until there is a response: within the grace period the provider repeats its response.
    private mutating func refresh(_ index: Int) throws {
        guard let token = ledger.families[index].tokens.last else { return }
        while !watch.isOver {
            guard let answer = try watch.answer({ try tokens.refresh(token) }) else { continue }
            guard let successor = answer.refreshToken else {
                throw HarnessError("refresh refused: \(answer.text)")
            }
            ledger.families[index].tokens.append(successor)
            return
        }
    }
}

/// What all clients of a load see.
final class Watch: Sendable {
    private struct State {
        var isOver = false
        var answers = 0
        var interruptions = 0
        /// The times of responses of 5xx.
        var errors: [(at: ContinuousClock.Instant, status: Int)] = []
    }

    private let state = Mutex(State())

    var isOver: Bool { state.withLock { $0.isOver } }
    var answers: Int { state.withLock { $0.answers } }
    var interruptions: Int { state.withLock { $0.interruptions } }

    func end() { state.withLock { $0.isOver = true } }
    func answered() { state.withLock { $0.answers += 1 } }

    /// Waits until the clients have more answers.
    func waitForAnswers(_ count: Int = 60) async throws {
        let enough = answers + count
        try await eventually("\(count) more answers", within: .seconds(60)) {
            answers >= enough ? true : nil
        }
    }

    /// Responses of 5xx, except those of this time.
    func errors(
        outside outage: ClosedRange<ContinuousClock.Instant>? = nil
    ) -> [Int] {
        state.withLock { state in
            state.errors.filter { outage?.contains($0.at) != true }.map(\.status)
        }
    }

    /// The response; `nil` after an interruption, or for 5xx, which is recorded.
    func answer(_ exchange: () throws -> HTTPAnswer) throws -> HTTPAnswer? {
        do {
            let answer = try exchange()
            guard answer.status >= 500 else { return answer }
            state.withLock { $0.errors.append((ContinuousClock.now, answer.status)) }
        } catch is Connection.Failure {
            state.withLock { $0.interruptions += 1 }
        }
        usleep(20_000)
        return nil
    }
}
