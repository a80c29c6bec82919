// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Primitives
import Support
import Testing

extension EndToEndKill {
    /// Each ceremony runs once for each of its requests, and the provider is killed there: before
    /// the request arrives, after the response and before it is read, and in between if much is
    /// written. Every call without a response is repeated. Then the ceremony is complete or refused
    /// with a reason, and nothing is stored partially.
    @Suite("A provider that dies at every request")
    struct RequestKillStory {
        /// A request that never arrives is the same to every database: it is cut on one of them.
        private static func moments(
            _ all: [DyingDoor.Moment], on database: StoryDatabase
        ) -> [DyingDoor.Moment] {
            database == .sqlite ? all : all.filter { $0 != .before }
        }

        @Test(
            "what apps, people and administrators do is done once, or it is said why not",
            arguments: StoryDatabase.available)
        func everything(_ database: StoryDatabase) async throws {
            // Each with a separate fixture, as many as there are cores.
            try await withThrowingTaskGroup { group in
                for ceremonies in [
                    Ceremony.apps + Ceremony.decisions,
                    Ceremony.approvals + Ceremony.pages + Ceremony.passwords
                        + Ceremony.administration,
                ] {
                    group.addTask { try await run(ceremonies, on: database) }
                }
                try await group.waitForAll()
            }
        }

        @Test(
            "a code by mail lets its owner in once, or another is sent",
            .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"),
            arguments: StoryDatabase.available)
        func mail(_ database: StoryDatabase) async throws {
            let sink = try await MailSink()
            try await run(
                [Ceremony.recovery(by: sink)], on: database,
                arguments: [
                    "--smtp", "smtp://localhost:\(sink.port)", "--smtp-from",
                    "gatehouse@example.com",
                ])
            try await sink.stop()
        }

        private static let deaths = StoryDatabase.available.flatMap { database in
            moments(DyingDoor.Moment.allCases, on: database).map { (database, $0) }
        }

        /// The first account, by the link in the file that the log names. Each requires a new
        /// fixture.
        @Test(
            "the first link creates one administrator, or is valid for another try",
            arguments: deaths)
        func setUp(_ database: StoryDatabase, _ moment: DyingDoor.Moment) async throws {
            let name = "die-at-set-up-\(moment)-\(database)"
            let house = try await MortalHouse(
                name, database: database.options(), state: MortalState.project)
            let file = try String(
                contentsOfFile: house.dataDirectory + "/setup-link", encoding: .utf8)
            let link = file.components(separatedBy: "/setup?token=").last ?? ""
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
            _ ceremonies: [Ceremony], on database: StoryDatabase, arguments: [String] = []
        ) async throws {
            let first = ceremonies[0].name.replacingOccurrences(of: " ", with: "-")
            let house = try await MortalHouse(
                "die-at-\(first)-\(database)", database: database.options(),
                arguments: arguments, state: MortalState.project)
            var kills = 0
            for ceremony in ceremonies {
                let moments = Self.moments(ceremony.moments, on: database)
                kills += try await kill(ceremony, at: moments, in: house)
            }
            print("\(database): \(ceremonies.count) ceremonies died \(kills) times")
            try await house.stop()
        }

        /// Gives how often.
        private func kill(
            _ ceremony: Ceremony, at moments: [DyingDoor.Moment], in house: MortalHouse
        ) async throws -> Int {
            let stage = try await ceremony.stage(house)
            var cuts: [DyingDoor.Cut] = []
            let requests = try await round(ceremony, nil, stage, house)
            #expect(!requests.isEmpty, "\(ceremony.name)")
            for number in requests.indices {
                cuts += moments.map { DyingDoor.Cut(number: number, moment: $0) }
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
                "methods": ["testKey", "signedJWT"], "authenticators": ["biometric"],
                "device_scopes": ["weather"], "approvals": ["enabled": true],
            ],
            "clients": [app(issuer), bank, bakery, television],
            "users": [DeclaredState.user("anna")],
            "issuer_keys": [
                [
                    "issuer": .string(vouching), "kid": "k1", "alg": "ES256",
                    "public_key": .string(issuerKey.publicKey.pemRepresentation),
                ]
            ],
        ]
    }

    /// The issuer of people's signed JWTs.
    static let vouching = "https://idp.example"
    static let issuerKey = P256.Signing.PrivateKey()

    /// The redirect URI of third-party clients; its port is closed.
    static let callback = "http://localhost:1/callback"

    private static let bakery = DeclaredState.web(
        "bakery", redirect: callback, ["client_name": "Corner Bakery", "first_party": false])

    private static let television: JSON = [
        "client_id": "tv", "client_name": "Living Room TV", "token_endpoint_auth_method": "none",
        "grant_types": ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
        "scope": "openid profile offline_access",
    ]

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
