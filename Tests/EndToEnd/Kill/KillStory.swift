// SPDX-License-Identifier: Apache-2.0
import Primitives
import Support
import Testing

extension EndToEndKill {
    /// `kill -9` under mixed load, again and again, on the same data.
    @Suite("Kill test")
    struct KillStory {
        private static let rounds = 20
        private static let clients = 4

        @Test("SQLite: what was answered is true after kill -9, twenty times")
        func sqlite() async throws {
            try await run("kill-sqlite", database: [])
        }

        @Test(
            "PostgreSQL: what was answered is true after kill -9, twenty times",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func postgreSQL() async throws {
            let url = try PostgreSQLServer.shared().makeDatabase()
            try await run("kill-postgresql", database: ["--database", url.revealText()])
        }

        private func run(_ name: String, database: [String]) async throws {
            let random = SeededRandom(seed: 20_261_121)
            let options = database + ["--trusted-proxies", "127.0.0.1"]
            var server = try await ServerProcess(name, arguments: options)
            try await server.apply(Self.state)
            let cookies = try await Self.signIn(at: server.port)
            var answers = 0
            for _ in 0..<Self.rounds {
                let ledger = try await loadUntilKilled(server, cookies, random)
                answers += ledger.count
                server = try await server.restarted()
                let port = server.port
                try await blocking { try Audit(port: port).check(ledger) }
                try await expectVerified(server, database)
            }
            #expect(answers > Self.rounds * 20, "too little load to say anything: \(answers)")
            print("\(name): \(Self.rounds) kills, \(answers) answers held")
            try await server.stop()
        }

        private static var state: String {
            let app = DeclaredState.web("app", redirect: LoadClient.callback)
            let users = (0..<clients).map { DeclaredState.user("worker\($0)") }
            return DeclaredState(clients: [app], users: users).text
        }

        /// The workers sign in once: their sessions have to outlive every kill.
        private static func signIn(at port: Int) async throws -> [[String: String]] {
            try await blocking {
                try (0..<clients).map { number in
                    let agent = FormAgent(port: port)
                    try agent.signIn("worker\(number)", DeclaredState.password)
                    return agent.cookies
                }
            }
        }

        private func loadUntilKilled(
            _ server: ServerProcess, _ cookies: [[String: String]], _ random: SeededRandom
        ) async throws -> Ledger {
            let (tally, enough) = (Tally(), Int(30 + random.next() % 60))
            return try await withThrowingTaskGroup(of: Ledger.self) { group in
                for worker in cookies {
                    let seed = random.next()
                    let port = server.port
                    group.addTask {
                        try await blocking {
                            let agent = FormAgent(port: port, cookies: worker)
                            var client = LoadClient(agent: agent, seed: seed, tally: tally)
                            return client.work()
                        }
                    }
                }
                // In the middle of the load: some have their answers, the others wait for theirs.
                try await eventually("\(enough) answers", within: .seconds(60)) {
                    tally.count >= enough ? true : nil
                }
                _ = try await server.child.stop(9)
                return try await group.reduce(Ledger()) { $0 + $1 }
            }
        }

        private func expectVerified(_ server: ServerProcess, _ database: [String]) async throws {
            let place = ["--data-dir", server.dataDirectory] + database
            let outcome = try await Command.run(
                Repository.gatehouse, ["store", "verify"] + place)
            #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        }
    }
}
