// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

extension EndToEndCluster {
    /// Two processes on one PostgreSQL.
    @Suite("Several processes")
    struct ClusterStory {
        private static let clients = 4

        @Test(
            "behind a balancer: kill, restart and restart of PostgreSQL break no rule",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"),
            .enabled(if: Balancer.isInstalled, "needs haproxy, or nginx with its module stream"))
        func balanced() async throws {
            let house = try await ClusterHouse.start("cluster")
            try await house.servers[0].apply(Self.state)
            let cookies = try await Self.signIn(at: house.balancer.port)
            let watch = Watch()
            let (ledger, outage) = try await ClusterLoad.run(
                cookies, at: house.balancer.port, watch
            ) {
                try await house.disturb(watch)
            }
            let failures = watch.failures(outside: outage, bound: .seconds(1))
            #expect(failures.isEmpty, "\(failures)")
            #expect(ledger.surprises.isEmpty, "\(ledger.surprises)")
            let port = house.balancer.port
            try await blocking { try Audit(port: port).check(ledger) }
            let count = ledger.count
            #expect(count > 200, "too little load to say anything: \(count)")
            print("cluster: \(count) answers held, \(watch.interruptions) interruptions")
            try await house.stop()
        }

        @Test(
            "a code and a refresh token that are presented to both at once",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func singleUse() async throws {
            let house = try await ClusterHouse.pair("cluster-race")
            try await house.servers[0].apply(Self.state)
            let ports = house.servers.map(\.port)
            let cookies = try await Self.signIn(at: ports[0])
            // The session of one is a session of the other.
            let agent = FormAgent(port: ports[1], cookies: cookies[0])
            try await Self.expectSingleUse(ports, agent)
            try await house.stop()
        }

        @Test(
            "the operator's token of one process is valid at the other, until it is rotated",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func operatorToken() async throws {
            let house = try await ClusterHouse.pair("cluster-token")
            func status(_ server: ServerProcess, _ token: String) async throws -> Int {
                try await server.get(
                    "/admin/v1/projects", headers: [("Authorization", "Bearer \(token)")]
                ).status
            }
            let tokens = try house.servers.map { try $0.operatorToken }
            for server in house.servers {
                for token in tokens { #expect(try await status(server, token) == 200) }
            }
            let rotated = try await exchange(
                .init(
                    method: "POST", path: "/admin/v1/token/rotate",
                    headers: [("Authorization", "Bearer \(tokens[0])")]),
                port: house.servers[0].port)
            #expect(rotated.status == 200, "\(rotated.text)")
            let fresh = try house.servers[0].operatorToken
            for server in house.servers {
                #expect(try await status(server, fresh) == 200)
                for token in tokens { #expect(try await status(server, token) == 401) }
            }
            try await house.stop()
        }

        @Test(
            "of two first starts at once with a key each, one serves and one is refused",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func firstStart() async throws {
            for round in 0..<3 {
                let url = try PostgreSQLServer.shared().makeDatabase().revealText()
                let starts = await withTaskGroup(of: Result<ServerProcess, any Error>.self) {
                    group in
                    for number in 0..<2 {
                        group.addTask {
                            let name = "cluster-first-\(round)-\(number)"
                            do {
                                return .success(
                                    try await ServerProcess(name, arguments: ["--database", url]))
                            } catch {
                                return .failure(error)
                            }
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                let served = starts.compactMap { try? $0.get() }
                #expect(served.count == 1)
                for case .failure(let error) in starts {
                    #expect("\(error)".contains("--master-key-file"), "\(error)")
                }
                for server in served { try await server.stop() }
            }
        }

        @Test(
            "while PostgreSQL is away a process is live and not ready, and recovers",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func outage() async throws {
            let database = try PostgreSQLServer()
            defer { database.stop() }
            // Logs are appended to.
            try? FileManager.default.removeItem(at: Repository.outputFile("cluster-outage.log"))
            let server = try await ServerProcess(
                "cluster-outage",
                arguments: ["--database", try database.makeDatabase().revealText()])
            try await blocking { database.shutDown() }
            try await eventually("not ready", within: .seconds(1)) {
                try await server.get("/health/ready").status == 503 ? true : nil
            }
            for _ in 0..<20 {
                #expect(try await server.get("/health/live").status == 200)
                let answer = try await server.get("/jwks")
                #expect(answer.status == 503 && answer["retry-after"] == "1")
            }
            try await blocking { try database.startAgain() }
            try await eventually("ready", within: .seconds(1)) {
                try await server.get("/health/ready").status == 200 ? true : nil
            }
            #expect(try await server.get("/jwks").status == 200)
            try await server.stop()
            let log = try String(contentsOf: server.child.log, encoding: .utf8)
            #expect(log.components(separatedBy: "the database does not respond").count == 2)
            #expect(log.components(separatedBy: "the database responds again").count == 2)
            #expect(!log.contains("request failed"), "\(log)")
        }

        /// Codes and refresh tokens that are presented to both processes at once are accepted once.
        ///
        /// - Parameter agent: with the session of a person.
        static func expectSingleUse(_ ports: [Int], _ agent: FormAgent) async throws {
            for _ in 0..<10 {
                let code = try await blocking { try Self.code(agent) }
                let redeemed = try await both(ports) { try $0.redeem(code) }
                #expect(redeemed.filter { $0.status == 200 }.count == 1)
                // The grant of a code that was presented twice is revoked.
                let token = try #require(redeemed.compactMap(\.refreshToken).first)
                let refused = try await both(ports) { try $0.refresh(token) }
                #expect(refused.allSatisfy { $0.status == 400 })
                let second = try await blocking { try Self.code(agent) }
                let first = try await blocking { try TokenRequests(port: ports[0]).redeem(second) }
                let family = try #require(first.refreshToken)
                let rotated = try await both(ports) { try $0.refresh(family) }
                #expect(Set(rotated.map(\.refreshToken)).count == 1, "two successors")
                #expect(rotated.allSatisfy { $0.status == 200 })
            }
        }

        static var state: String {
            let app = DeclaredState.web("app", redirect: LoadClient.callback)
            let users = (0..<clients).map { DeclaredState.user("worker\($0)") }
            return DeclaredState(clients: [app], users: users, policy: ["refresh_grace": 60]).text
        }

        static func signIn(at port: Int) async throws -> [[String: String]] {
            try await blocking {
                try (0..<clients).map { number in
                    let agent = FormAgent(port: port)
                    try agent.signIn("worker\(number)", DeclaredState.password)
                    return agent.cookies
                }
            }
        }

        static func code(_ agent: FormAgent) throws -> String {
            let query = formEncoded([
                ("response_type", "code"), ("client_id", "app"),
                ("redirect_uri", LoadClient.callback), ("scope", "openid offline_access"),
                ("code_challenge", PKCEPair.challenge), ("code_challenge_method", "S256"),
            ])
            let answer = try agent.send(.init(path: "/authorize?\(query)"))
            let location = URLComponents(string: answer["location"] ?? "")
            guard let code = location?.queryItems?.first(where: { $0.name == "code" })?.value
            else { throw HarnessError("no code: \(answer.status) \(answer.text)") }
            return code
        }

        /// The same request to both processes at once.
        private static func both(
            _ ports: [Int], _ request: @escaping @Sendable (TokenRequests) throws -> HTTPAnswer
        ) async throws -> [HTTPAnswer] {
            try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for port in ports {
                    group.addTask { try await blocking { try request(TokenRequests(port: port)) } }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
    }
}
