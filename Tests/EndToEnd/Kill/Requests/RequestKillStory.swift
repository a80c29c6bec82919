// SPDX-License-Identifier: Apache-2.0
import Foundation
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
        @Test("SQLite: what apps, people and administrators do")
        func sqlite() async throws {
            // Each in a house of its own, as many as there are cores.
            try await withThrowingTaskGroup { group in
                for ceremonies in [
                    Ceremony.apps, Ceremony.approvals + Ceremony.pages + Ceremony.administration,
                ] {
                    group.addTask { try await run(ceremonies, on: []) }
                }
                try await group.waitForAll()
            }
        }

        @Test(
            "PostgreSQL: what is written in more than one place",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func postgreSQL() async throws {
            let names = [
                "adding an authenticator", "an approval of a transaction, pushed",
                "a way back for somebody without keys", "an administrator leaves",
            ]
            let all =
                Ceremony.apps + Ceremony.approvals + Ceremony.pages + Ceremony.administration
            let chosen = all.filter { names.contains($0.name) }
            #expect(chosen.count == names.count)
            try await withThrowingTaskGroup { group in
                for half in [chosen.prefix(2), chosen.suffix(2)] {
                    let url = try PostgreSQLServer.shared().makeDatabase().revealText()
                    group.addTask { try await run(Array(half), on: ["--database", url]) }
                }
                try await group.waitForAll()
            }
        }

        @Test(
            "a code by mail lets its owner in once, or another is sent",
            .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"))
        func mail() async throws {
            let sink = try await MailSink()
            try await run(
                [Ceremony.recovery(by: sink)], on: [],
                arguments: [
                    "--smtp", "smtp://localhost:\(sink.port)", "--smtp-from",
                    "gatehouse@example.com",
                ])
            try await sink.stop()
        }

        /// The first account, by the link that the log shows. Each needs a house that is new.
        @Test(
            "the first link makes one administrator, or is good for another try",
            arguments: DyingDoor.Moment.allCases)
        func setUp(_ moment: DyingDoor.Moment) async throws {
            let name = "die-at-set-up-\(moment)"
            let house = try await MortalHouse(name, database: [], state: MortalState.project)
            let log = try String(
                contentsOf: try Repository.outputFile("\(name).log"), encoding: .utf8)
            let link = log.components(separatedBy: "/setup?token=").last ?? ""
            let path =
                "/setup?token=" + link.prefix { $0.isLetter || $0.isNumber || "-_".contains($0) }
            let fields = [("username", "root"), ("password", DeclaredState.password)]
            func open(_ browser: FormAgent) async throws -> HTTPAnswer {
                try await blocking { try browser.follow(.init(path: path)) }
            }
            func submit(_ page: HTTPAnswer, _ browser: FormAgent) async throws {
                _ = try await blocking {
                    try browser.submit(page, at: "/register", fields, having: "password")
                }
            }
            let browser = house.browser()
            let page = try await open(browser)
            house.door.arm(.init(number: 0, moment: moment))
            try await persist { _ in try await submit(page, browser) }
            try house.door.disarm()
            #expect(!house.door.isArmed)
            if !browser.isSignedIn {
                // The account is made, or the link is as good as before.
                do { try browser.signIn("root", DeclaredState.password) } catch is HarnessError {
                    try await submit(try await open(browser), browser)
                }
            }
            #expect(try browser.follow(.init(path: "/console")).status == 200)
            let later = house.browser()
            #expect(try await open(later).status == 404, "the link is good for one")
            #expect(try await house.halfDone().isEmpty)
            try await house.stop()
        }

        private func run(
            _ ceremonies: [Ceremony], on database: [String], arguments: [String] = []
        ) async throws {
            let first = ceremonies[0].name.replacingOccurrences(of: " ", with: "-")
            let house = try await MortalHouse(
                "die-at-\(first)\(database.isEmpty ? "" : "-postgresql")", database: database,
                arguments: arguments, state: MortalState.project)
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
