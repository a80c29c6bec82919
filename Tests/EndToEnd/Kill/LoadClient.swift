// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Synchronization

/// One client of the mixed load: it creates codes, redeems, refreshes, revokes and registers until
/// its server is killed. Blocking, on a separate thread.
struct LoadClient {
    static let callback = "http://localhost:1/callback"
    let agent: FormAgent
    let random: SeededRandom
    private let tally: Tally
    private(set) var ledger = Ledger()

    init(agent: FormAgent, seed: UInt64, tally: Tally) {
        (self.agent, self.tally) = (agent, tally)
        random = SeededRandom(seed: seed)
    }

    /// Works until the first interruption, which is the kill.
    mutating func work() -> Ledger {
        do {
            while true {
                let before = ledger.count
                try step()
                tally.add(ledger.count - before)
            }
        } catch is Connection.Failure {
            return ledger
        } catch {
            ledger.surprises.append("\(error)")
            return ledger
        }
    }

    private mutating func step() throws {
        switch random.next() % 10 {
        case 0: try register()
        case 1: try makeCode()
        case 2...4:
            try makeCode()
            try redeem(ledger.codes.count - 1)
        case 5...8:
            let living = ledger.families.indices.filter { !ledger.families[$0].isRevocationSent }
            if let index = living.last { try refresh(index) }
        default:
            let living = ledger.families.indices.filter { !ledger.families[$0].isRevocationSent }
            if living.count > 2 { try revoke(living[0]) }
        }
    }

    private mutating func makeCode() throws {
        let query = formEncoded([
            ("response_type", "code"), ("client_id", "app"), ("redirect_uri", Self.callback),
            ("scope", "openid offline_access"), ("code_challenge", PKCEPair.challenge),
            ("code_challenge_method", "S256"),
        ])
        let answer = try agent.send(.init(path: "/authorize?\(query)"))
        let location = URLComponents(string: answer["location"] ?? "")
        guard let code = location?.queryItems?.first(where: { $0.name == "code" })?.value else {
            throw HarnessError("no code: \(answer.status) \(answer["location"] ?? answer.text)")
        }
        ledger.codes.append(.init(value: code))
    }

    private mutating func redeem(_ index: Int) throws {
        ledger.codes[index].tries += 1
        let answer = try TokenRequests(port: agent.port).redeem(ledger.codes[index].value)
        guard let token = answer.refreshToken else {
            throw HarnessError("code refused: \(answer.text)")
        }
        ledger.codes[index].successes += 1
        ledger.families.append(.init(tokens: [token]))
    }

    private mutating func refresh(_ index: Int) throws {
        guard let token = ledger.families[index].tokens.last else { return }
        let answer = try TokenRequests(port: agent.port).refresh(token)
        guard let successor = answer.refreshToken else {
            throw HarnessError("refresh refused: \(answer.text)")
        }
        ledger.families[index].tokens.append(successor)
    }

    private mutating func revoke(_ index: Int) throws {
        guard let token = ledger.families[index].tokens.last else { return }
        ledger.families[index].isRevocationSent = true
        let answer = try TokenRequests(port: agent.port).revoke(token)
        guard answer.status == 200 else { throw HarnessError("not revoked: \(answer.text)") }
        ledger.families[index].isRevoked = true
    }

    private mutating func register() throws {
        let name = "person-\(random.next() % 1_000_000)-\(random.next() % 1_000_000)"
        let address = "10." + random.bytes(3).map { String($0) }.joined(separator: ".")
        let person = FormAgent(port: agent.port, address: address)
        guard try person.register(name, DeclaredState.password) else {
            throw HarnessError("\(name) was not registered")
        }
        ledger.accounts.append(.init(username: name, cookies: person.cookies))
    }
}

/// How many answers all clients of a load have.
final class Tally: Sendable {
    private let answers = Mutex(0)

    var count: Int { answers.withLock { $0 } }

    func add(_ more: Int) { answers.withLock { $0 += more } }
}
