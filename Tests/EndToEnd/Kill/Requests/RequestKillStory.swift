// SPDX-License-Identifier: Apache-2.0
import Primitives
import Support
import Testing

extension EndToEnd {
    /// Each ceremony is done once for each of its requests, and dies there: before the request
    /// arrives, when it was answered and nobody has read it, and where much is written also in
    /// between. Every call is made once more when nobody answers it; then all is done, or it was said
    /// why not, and nothing is there by half.
    @Suite("A provider that dies at every request")
    struct RequestKillStory {
        @Test(
            "SQLite: what apps, people and administrators do",
            arguments: [
                Ceremony.apps + Ceremony.approvals, Ceremony.pages + Ceremony.administration,
            ])
        func sqlite(_ ceremonies: [Ceremony]) async throws {
            try await run(ceremonies, on: [])
        }

        @Test(
            "PostgreSQL: what is written in more than one place",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func postgreSQL() async throws {
            let database = try PostgreSQLServer.shared().makeDatabase().revealText()
            let names = [
                "adding an authenticator", "an approval of a transaction, pushed",
                "a way back for somebody without keys", "an administrator leaves",
            ]
            let all =
                Ceremony.apps + Ceremony.approvals + Ceremony.pages + Ceremony.administration
            try await run(
                all.filter { names.contains($0.name) }, on: ["--database", database])
        }

        private func run(_ ceremonies: [Ceremony], on database: [String]) async throws {
            let house = try await MortalHouse(
                "die-at-\(ceremonies[0].name.prefix { $0 != " " })\(database.isEmpty ? "" : "-pg")",
                database: database, state: MortalState.project)
            var kills = 0
            for ceremony in ceremonies { kills += try await kill(ceremony, in: house) }
            print("\(ceremonies.count) ceremonies died \(kills) times")
            try await house.stop()
        }

        /// Gives how often.
        private func kill(_ ceremony: Ceremony, in house: MortalHouse) async throws -> Int {
            let stage = try await ceremony.stage(house)
            var cuts: [DyingDoor.Cut] = []
            let requests = try await round(ceremony, nil, stage, house)
            #expect(!requests.isEmpty, "\(ceremony.name)")
            for number in requests.indices {
                cuts += ceremony.moments.map { DyingDoor.Cut(number: number, moment: $0) }
            }
            for cut in cuts { _ = try await round(ceremony, cut, stage, house) }
            return cuts.count
        }

        /// Once, with that cut. Gives the requests that counted.
        private func round(
            _ ceremony: Ceremony, _ cut: DyingDoor.Cut?, _ stage: Ceremony.Stage,
            _ house: MortalHouse
        ) async throws -> [String] {
            let name = "\(ceremony.name), \(cut.map { "\($0)" } ?? "in peace")"
            let act = try await stage()
            house.door.arm(cut)
            do { try await act() } catch { Issue.record("\(name): \(error)") }
            let seen = try house.door.disarm()
            #expect(!house.door.isArmed, "\(name): no such request in \(seen)")
            let faults = try await house.halfDone()
            #expect(faults.isEmpty, "\(name): \(faults)")
            return seen
        }
    }
}

/// The project of ``MortalHouse``.
enum MortalState {
    static func project(_ issuer: String) -> JSON {
        [
            "name": "default", "environment": "development",
            "registration": [
                "methods": ["testKey", "oidc"], "authenticators": ["biometric"],
                "device_scopes": ["weather"], "approvals": ["enabled": true],
            ],
            "clients": [app(issuer), bank], "users": [DeclaredState.user("anna")],
        ]
    }

    private static func app(_ issuer: String) -> JSON {
        [
            "client_id": "app", "client_name": "App", "token_endpoint_auth_method": "none",
            "grant_types": [
                "authorization_code", "refresh_token",
                "urn:ietf:params:oauth:grant-type:jwt-bearer",
                "urn:ietf:params:oauth:grant-type:token-exchange",
            ],
            "redirect_uris": ["http://127.0.0.1/callback"],
            "web_handoff_uris": [.string(issuer + "/account")], "exchange_audiences": ["ledger"],
            "scope": "openid profile offline_access registration weather entitlements",
            "first_party": true,
        ]
    }

    private static let bank: JSON = [
        "client_id": "bank", "client_name": "Bank",
        "client_secret": .string(DeclaredState.secret),
        "token_endpoint_auth_method": "client_secret_basic",
        "grant_types": ["urn:openid:params:grant-type:ciba"], "scope": "openid",
        "first_party": true,
    ]
}
