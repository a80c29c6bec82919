// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

extension EndToEndCluster {
    /// The new version and the previous release on one database (docs/releases.md).
    @Suite(
        "Upgrade", .enabled(if: PreviousRelease.program != nil, "\(PreviousRelease.hint)"),
        .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"),
        .enabled(if: Balancer.isInstalled, "needs haproxy, or nginx with its module stream"))
    struct UpgradeStory {
        @Test(
            "under load the new version joins the previous release and replaces it: no error, no lost token"
        )
        func rolling() async throws {
            let house = try await UpgradeHouse.start("upgrade-rolling")
            let port = house.balancer.port
            let sessions = try await ClusterStory.signIn(at: port)
            let watch = Watch()
            let (ledger, new) = try await ClusterLoad.run(sessions, at: port, watch) {
                try await watch.wait(forMore: 60)
                let new = try await house.upgrade()
                try await watch.wait(forMore: 120)
                try await house.old.stop()
                try await watch.wait(forMore: 60)
                return new
            }
            #expect(watch.failures.isEmpty, "\(watch.failures)")
            #expect(ledger.surprises.isEmpty, "\(ledger.surprises)")
            try await blocking { try Audit(port: port).check(ledger) }
            #expect(ledger.count > 100, "too little load to say anything: \(ledger.count)")
            for server in [house.old, new] { try expectNoFailedRequest(server) }
            try await house.stop(new)
        }

        @Test("a session, a password and a passkey of one version are valid at the other")
        func people() async throws {
            let house = try await UpgradeHouse.start("upgrade-people")
            let ines = try await UpgradeMember.register("ines", at: house.old)
            let new = try await house.upgrade()
            let jan = try await UpgradeMember.register("jan", at: new)
            for person in [ines, jan] {
                for server in [house.old, new] { try await person.signIn(at: server) }
            }
            try await house.stop(house.old, new)
        }

        @Test("a code of one version is redeemed, refreshed, read and revoked at the other")
        func tokens() async throws {
            let house = try await UpgradeHouse.start("upgrade-tokens")
            let sessions = try await ClusterStory.signIn(at: house.balancer.port)
            let before = try await house.old.redeem(
                house.old.code(for: house.old.agent(sessions[0])))
            let earlier = try #require(before.refreshToken, "\(before.text)")
            let new = try await house.upgrade()
            #expect(try await new.userInfo(before).status == 200)
            #expect(try await new.refresh(earlier).status == 200)
            for (one, other) in [(house.old, new), (new, house.old)] {
                let code = try await one.code(for: one.agent(sessions[1]))
                let tokens = try await other.redeem(code)
                let family = try #require(tokens.refreshToken, "\(tokens.text)")
                #expect(try await one.userInfo(tokens).status == 200)
                let refreshed = try await one.refresh(family)
                let next = try #require(refreshed.refreshToken, "\(refreshed.text)")
                #expect(try await other.userInfo(refreshed).status == 200)
                let revoked = try await blocking {
                    try TokenRequests(port: other.port).revoke(next)
                }
                #expect(revoked.status == 200)
                #expect(try await one.refresh(next).status == 400)
            }
            try await house.stop(house.old, new)
        }

        @Test(
            "Attack 97: a code or refresh token presented to both versions at once is accepted once"
        )
        func singleUse() async throws {
            let house = try await UpgradeHouse.start("upgrade-race")
            let sessions = try await ClusterStory.signIn(at: house.balancer.port)
            let new = try await house.upgrade()
            for server in [house.old, new] {
                try await ClusterStory.expectSingleUse(
                    [house.old.port, new.port], server.agent(sessions[0]))
            }
            try await house.stop(house.old, new)
        }

        @Test("a token that is signed with a key which one version rotated is valid at the other")
        func keys() async throws {
            let house = try await UpgradeHouse.start("upgrade-keys")
            let sessions = try await ClusterStory.signIn(at: house.balancer.port)
            let new = try await house.upgrade()
            for (one, other) in [(new, house.old), (house.old, new)] {
                let agent = one.agent(sessions[0])
                let before = try await other.redeem(other.code(for: agent))
                // 0.2.0 rotates at once, and has no flag for it.
                let now = one.name == new.name ? ["--now"] : []
                try await one.command(["keys", "rotate", "--algorithm", "ES256"] + now)
                let after = try await one.redeem(one.code(for: agent))
                #expect(try keyIdentifier(before) != keyIdentifier(after))
                for server in [one, other] {
                    for tokens in [before, after] {
                        #expect(try await server.userInfo(tokens).status == 200, "\(server.name)")
                    }
                    let published = try await server.get("/jwks").text
                    #expect(published.contains(try keyIdentifier(after)), "\(server.name)")
                }
            }
            try await house.stop(house.old, new)
        }

        /// The `kid` of the access token.
        private func keyIdentifier(_ tokens: HTTPAnswer) throws -> String {
            let token = tokens.json?["access_token"] as? String ?? ""
            let header = Base64URL.decode(String(token.prefix { $0 != "." }))
            return try #require(try JSON(parsing: header ?? [])["kid"].string)
        }

        private func expectNoFailedRequest(_ server: ServerProcess) throws {
            let log = try String(contentsOf: server.child.log, encoding: .utf8)
            #expect(!log.contains("request failed"), "\(server.name): \(log.suffix(2000))")
        }
    }
}
