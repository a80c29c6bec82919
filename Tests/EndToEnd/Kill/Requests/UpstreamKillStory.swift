// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Synchronization
import Testing

extension EndToEndKill {
    /// Signing in with another provider, and connecting one, while the provider is killed: before
    /// the redirect, at the callback, and while it redeems the code.
    @Suite("A provider that dies between another's pages and its own")
    struct UpstreamKillStory {
        /// Which request of the way is the last one of our provider.
        enum Place: Sendable {
            /// The browser's, of those that count.
            case browser(Int)
            /// Its own, to the other's token endpoint.
            case exchange
        }

        /// A request that never arrives is the same to every database: it is cut on one of them.
        private static func cuts(on database: StoryDatabase) -> [(Place, DyingDoor.Moment)] {
            let all: [(Place, DyingDoor.Moment)] = [
                (.browser(0), .before), (.browser(0), .after), (.browser(1), .before),
                (.browser(1), .within), (.browser(1), .after), (.exchange, .before),
                (.exchange, .after),
            ]
            return database == .sqlite ? all : all.filter { $0.1 != .before }
        }

        @Test(
            "the callback results in one person, signed in, or starts again",
            arguments: StoryDatabase.available)
        func signIn(_ database: StoryDatabase) async throws {
            let pair = try await Pair("die-upstream", on: database)
            for cut in Self.cuts(on: database) {
                let (browser, there) = (pair.house.browser(), try pair.somebody())
                let people = try await pair.people()
                pair.arm(cut)
                var answer = try await come(pair, browser, there)
                #expect(try pair.wasCut(), "\(cut)")
                if !browser.isSignedIn {
                    #expect(answer.status == 422, "\(cut): \(answer.text)")
                    answer = try await come(pair, browser, there)
                }
                #expect(browser.isSignedIn, "\(cut): \(answer.text)")
                #expect(try browser.send(.init(path: "/account")).status == 200, "\(cut)")
                // The next time it is the same person.
                _ = try await come(pair, pair.house.browser(), there)
                #expect(try await pair.people() == people + 1, "\(cut)")
                #expect(try await pair.house.halfDone().isEmpty, "\(cut)")
            }
            try await pair.stop()
        }

        @Test(
            "a provider is linked once, to the signed-in person, or the person starts again",
            arguments: StoryDatabase.available)
        func link(_ database: StoryDatabase) async throws {
            let pair = try await Pair("die-link", on: database)
            for cut in Self.cuts(on: database) {
                let (browser, there) = (pair.house.browser(), try pair.somebody())
                let name = pair.house.newName("bea")
                let isMade = try browser.register(name, DeclaredState.password)
                #expect(isMade)
                let people = try await pair.people()
                pair.arm(cut)
                try await connect(pair, browser, there)
                #expect(try pair.wasCut(), "\(cut)")
                if try await pair.links(of: name) == 0 { try await connect(pair, browser, there) }
                #expect(try await pair.links(of: name) == 1, "\(cut)")
                // By it she is herself.
                let other = pair.house.browser()
                let entered = try await come(pair, other, there)
                #expect(other.isSignedIn, "\(cut): \(entered.text)")
                #expect(try other.send(.init(path: "/account")).text.contains(name), "\(cut)")
                #expect(try await pair.people() == people, "\(cut)")
                #expect(try await pair.house.halfDone().isEmpty, "\(cut)")
            }
            try await pair.stop()
        }

        /// From the sign-in page to Acme's pages, and back.
        private func come(
            _ pair: Pair, _ browser: FormAgent, _ there: FormAgent
        ) async throws -> HTTPAnswer {
            let leaving = try await persist { _ in
                try await blocking { try browser.send(.init(path: "/sign-in/with/acme")) }
            }
            return try await comeBack(pair, browser, there, to: leaving["location"] ?? "")
        }

        private func connect(
            _ pair: Pair, _ browser: FormAgent, _ there: FormAgent
        ) async throws {
            let account = try browser.follow(.init(path: "/account"))
            let leaving = try await persist { _ in
                try await blocking { try browser.submit(account, to: "/providers/acme/link") }
            }
            // The page that lies between says where it goes.
            let address = leaving.text.components(separatedBy: "class=\"button\" href=\"").last
            let place = (address ?? "").prefix { $0 != "\"" }
                .replacingOccurrences(of: "&amp;", with: "&")
            _ = try await comeBack(pair, browser, there, to: place)
        }

        private func comeBack(
            _ pair: Pair, _ browser: FormAgent, _ there: FormAgent, to address: String
        ) async throws -> HTTPAnswer {
            let authorize = String(address.dropFirst(pair.upstream.count))
            #expect(address.hasPrefix(pair.upstream + "/"), "not there: \(address)")
            let vouched = try await blocking { try there.follow(.init(path: authorize)) }
            let back = vouched["location"] ?? ""
            #expect(back.hasPrefix(pair.house.issuer + "/"), "no way back: \(vouched.text)")
            let path = String(back.dropFirst(pair.house.issuer.count))
            return try await persist { _ in
                try await blocking { try browser.follow(.init(path: path)) }
            }
        }
    }
}

/// The provider, and Acme's, whose token endpoint also has a proxy.
private final class Pair: Sendable {
    let house: MortalHouse
    let upstream: String
    private let door: DyingDoor
    private let acme: ServerProcess
    private let number = Mutex(0)

    private final class Late: Sendable {
        let house = Mutex<MortalHouse?>(nil)
        let acme = Mutex<ServerProcess?>(nil)
    }

    init(_ name: String, on database: StoryDatabase) async throws {
        let name = "\(name)-\(database)"
        let late = Late()
        let door = try DyingDoor {
            late.acme.withLock { ($0?.port ?? 0, $0?.child.pid ?? 0) }
        } counts: {
            $0.method == "POST" && $0.path == "/token"
        } kill: {
            try await late.house.withLock { $0 }?.kill()
        }
        let upstream = "http://localhost:\(door.port)"
        house = try await MortalHouse(name, database: database.options()) { _ in
            [
                "name": "default", "environment": "development",
                "identity_providers": [
                    [
                        "identifier": "acme", "kind": "oidc", "issuer": .string(upstream),
                        "client_id": "gatehouse", "client_secret": .string(DeclaredState.secret),
                        "scopes": ["profile", "email"], "button_text": "Acme",
                        "create_people": true,
                    ]
                ],
            ]
        }
        acme = try await ServerProcess(
            name + "-acme", issuer: upstream, arguments: ["--trusted-proxies", "127.0.0.1"])
        (self.door, self.upstream) = (door, upstream)
        late.house.withLock { $0 = house }
        late.acme.withLock { $0 = acme }
        let back = house.issuer + "/sign-in/with/acme/callback"
        try await acme.apply(
            DeclaredState(clients: [DeclaredState.web("gatehouse", redirect: back)]).text)
    }

    /// Returns a browser of a new person who is signed in at Acme.
    func somebody() throws -> FormAgent {
        let number = number.withLock { number in
            number += 1
            return number
        }
        let agent = FormAgent(port: door.port, address: "10.8.0.\(number)")
        guard try agent.register("carla\(number)", DeclaredState.password) else {
            throw HarnessError("nobody was registered at Acme")
        }
        return agent
    }

    func arm(_ cut: (EndToEndKill.UpstreamKillStory.Place, DyingDoor.Moment)) {
        switch cut.0 {
        case .browser(let number): house.door.arm(.init(number: number, moment: cut.1))
        case .exchange: door.arm(.init(number: 0, moment: cut.1))
        }
    }

    /// Whether the provider has died.
    func wasCut() throws -> Bool {
        try house.door.disarm()
        try door.disarm()
        return !house.door.isArmed && !door.isArmed
    }

    func people() async throws -> Int {
        let listed = try await house.admin("GET", "/projects/default/people?limit=200")
        return try JSON(parsing: listed.body)["items"].array?.count ?? 0
    }

    /// Returns the number of federated identities of that person.
    func links(of username: String) async throws -> Int {
        let shown = try await house.admin("GET", "/projects/default/people/\(username)")
        return try JSON(parsing: shown.body)["credentials"].array?
            .count { $0["kind"] == "federated_identity" } ?? 0
    }

    func stop() async throws {
        door.close()
        try await house.stop()
        try await acme.stop()
    }
}
