// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndCluster {
    /// A primary and a standby under Patroni, and two processes that reach them in different ways.
    @Suite("Failover of PostgreSQL")
    struct FailoverStory {
        @Test(
            "Attack 98: what was consumed stays consumed, whether the primary is switched, killed or read-only",
            .enabled(
                if: PatroniCluster.unavailable == nil,
                "needs PostgreSQL, Patroni with raft, and haproxy"))
        func failover() async throws {
            let house = try await FailoverHouse.start("failover")
            try await house.servers[0].apply(Self.state)
            let steps = [switchOver, kill, makeReadOnly]
            var accounts: [Ledger.Account] = []
            for step in steps { accounts += try await step(house) }
            for server in house.servers {
                #expect(server.child.isRunning)
                let (port, kept) = (server.port, Ledger(accounts: accounts))
                try await blocking { try Audit(port: port).check(kept) }
            }
            try await house.stop()
        }

        private func switchOver(_ house: FailoverHouse) async throws -> [Ledger.Account] {
            let accounts = try await FailoverLoad("switchover", house: house).run {
                try await house.cluster.switchOver()
            }
            // The former primary is a standby that confirms commits.
            _ = try await house.cluster.standby()
            return accounts
        }

        /// The return of the killed server costs no request anything.
        private func kill(_ house: FailoverHouse) async throws -> [Ledger.Account] {
            let killed = try await house.cluster.primary()
            let load = FailoverLoad("kill", house: house)
            let accounts = try await load.run {
                let outage = try await house.cluster.killPrimary()
                load.expectNotReady(from: outage.start, to: outage.end)
                return outage
            }
            return try await accounts
                + FailoverLoad("return", house: house).run {
                    try await house.cluster.bringBack(killed)
                    return nil
                }
        }

        /// A primary that refuses changes (25006) and answers reads. Then the standby is promoted.
        private func makeReadOnly(_ house: FailoverHouse) async throws -> [Ledger.Account] {
            let load = FailoverLoad("read-only", house: house)
            return try await load.run {
                let primary = try await house.cluster.primary()
                let start = ContinuousClock.now
                try await primary.setReadOnly(true)
                let refusal = ContinuousClock.now
                try await load.waitUntilNotReady()
                try await blocking { try primary.sql("SELECT 1") }
                let outage = try await house.cluster.switchOver()
                load.expectNotReady(from: refusal, to: outage.end)
                try await primary.setReadOnly(false)
                return .init(start: start, end: outage.end)
            }
        }

        private static var state: String {
            let app = DeclaredState.web("app", redirect: LoadClient.callback)
            let users = (0..<FailoverLoad.clients).map { DeclaredState.user("worker\($0)") }
            return DeclaredState(
                clients: [app, DeclaredState.service("service")], users: users,
                policy: ["refresh_grace": 60]
            ).text
        }
    }
}
