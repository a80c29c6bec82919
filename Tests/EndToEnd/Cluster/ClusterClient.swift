// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// One client of processes that share a database. It creates codes, redeems them and refreshes
/// tokens, and continues after interruptions, as applications do. Blocking, on a separate thread.
struct ClusterClient {
    let agent: FormAgent
    let random: SeededRandom
    let watch: Watch
    /// Set if it does more than that: who signs in.
    let person: String?
    var ledger = Ledger()
    /// The last access token by client credentials.
    var accessToken: String?

    init(agent: FormAgent, seed: UInt64, watch: Watch, person: String? = nil) {
        (self.agent, self.watch, self.person) = (agent, watch, person)
        random = SeededRandom(seed: seed)
    }

    var tokens: TokenRequests { TokenRequests(port: agent.port) }

    mutating func work() -> Ledger {
        while !watch.isOver {
            do {
                try step()
                watch.answered()
            } catch {
                ledger.surprises.append("\(error)")
                watch.record(surprise: "\(error)")
                return ledger
            }
        }
        return ledger
    }

    private mutating func step() throws {
        if let person {
            // Most of the time of such a load is between its requests.
            usleep(30_000)
            if random.next() % 2 == 0 { return try mixedStep(person) }
        }
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
