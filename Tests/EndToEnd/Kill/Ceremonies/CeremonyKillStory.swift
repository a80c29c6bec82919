// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import Primitives
import Support
import Testing

extension EndToEndKill {
    /// The provider is killed in the middle of every ceremony, and started again on the same data:
    /// the same call again succeeds or says why, and nothing is half done.
    @Suite(
        "A provider that dies in every ceremony",
        .enabled(if: Repository.hasPeers, "needs the packages from PyPI: make bootstrap"))
    struct CeremonyKillStory {
        typealias Cut = KillingTransport.Cut

        private func inside(
            _ database: StoryDatabase, _ name: String, _ story: (CeremonyHouse) async throws -> Void
        ) async throws {
            let options = try database.options()
            let house = try await CeremonyHouse("die-\(name)-\(database)", database: options)
            try await story(house)
            let verified = try await house.verifyStore(options)
            #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
            try await house.stop()
        }

        // MARK: Registering

        @Test(
            "Every method registers one installation of one person",
            arguments: StoryDatabase.available)
        func registration(_ database: StoryDatabase) async throws {
            try await inside(database, "registration") { house in
                for method in CeremonyHouse.methods {
                    for cut in Self.cuts(of: method) {
                        try await register(house, by: method, cut)
                    }
                }
            }
        }

        private static func cuts(of method: GatehouseClient.RegistrationMethod) -> [Cut] {
            let always = [
                Cut(.during, "/registration/challenge"), Cut(.during, "/registration"),
                Cut(.after, "/registration"),
            ]
            guard method == .customTwoStep else { return always }
            return always + [
                Cut(.during, "/registration/start"), Cut(.after, "/registration/start"),
            ]
        }

        private func register(
            _ house: CeremonyHouse, by method: GatehouseClient.RegistrationMethod, _ cut: Cut
        ) async throws {
            let (app, id) = (try await house.app(), UUID())
            let before = try await house.people()
            let request = try await app.request(method, id: id)
            let made = try await app.survives(cut) {
                try await app.client.register(request, idempotencyKey: id)
            }
            let session = try await app.client.signIn(.deviceKey, as: made.profile.id)
            #expect(session.idToken?.claim("sub", as: String.self) == made.profile.userID)
            #expect(try await app.client.pendingRegistrations.isEmpty)
            var expected = before
            expected[made.profile.userID, default: 0] += 1
            let after = try await house.people()
            #expect(after == expected, "\(method.rawValue), \(cut)")
        }

        @Test(
            "A key that signs in does so, and its nonces are used once",
            arguments: StoryDatabase.available
        )
        func signIn(_ database: StoryDatabase) async throws {
            try await inside(database, "sign-in") { house in
                let app = try await house.app()
                let profile = try await app.registered()
                for cut in [
                    Cut(.before, "/token"), Cut(.during, "/registration/sign-in/challenge"),
                    Cut(.during, "/token"), Cut(.after, "/token"),
                ] {
                    let session = try await app.survives(cut) {
                        try await app.client.signIn(.deviceKey, as: profile.id)
                    }
                    #expect(session.profile == profile)
                    try await session.refresh()
                }
            }
        }

        @Test(
            "A device has its session, or starts again", arguments: StoryDatabase.available)
        func device(_ database: StoryDatabase) async throws {
            try await inside(database, "device") { house in
                let app = try await house.app()
                _ = try await app.registered()
                for cut in [
                    Cut(.before, "/token"), Cut(.during, "/registration/sign-in/challenge"),
                    Cut(.during, "/token"), Cut(.after, "/token"),
                ] {
                    let session = try await app.survives(cut) {
                        try await app.client.device.session()
                    }
                    let scopes = try await session.accessToken().scopes
                    #expect(scopes == ["weather"])
                }
            }
        }

        // MARK: Passkeys

        @Test(
            "A passkey is added once, and the app knows it, also when the answer was lost",
            arguments: StoryDatabase.available)
        func addPasskey(_ database: StoryDatabase) async throws {
            try await inside(database, "add-passkey") { house in
                let cuts =
                    [Cut(.after, "/registration/pin/challenge"), Cut(.after, "/token")]
                    + KillingTransport.Moment.allCases.flatMap { moment in
                        ["/registration/passkeys/options", "/registration/passkeys"]
                            .map { Cut(moment, $0) }
                    }
                for cut in cuts {
                    let app = try await house.app(passkeys: KeptPasskeys(origin: house.issuer))
                    let id = UUID()
                    let request = try await app.request(.testKey, id: id)
                    let profile = try await app.registerWithPIN(request, id, Self.first).profile
                    try await app.survives(cut) { try await app.addPasskey(profile.id, Self.first) }
                    let known = try await app.client.authenticators(of: profile.id)
                    #expect(known == [.pin, .passkey], "\(cut)")
                    #expect(try await app.passkeys() == 1, "\(cut)")
                    let flow = app.client.authenticate(profile.id, using: .passkey)
                    for try await case .authenticator(let challenge) in flow {
                        try challenge.respond(prompt: "Sign in")
                    }
                    #expect(try await flow.outcome.profile == profile, "\(cut)")
                }
            }
        }

        @Test(
            "A person with a passkey is signed in on another installation, once",
            arguments: StoryDatabase.available)
        func signInByPasskey(_ database: StoryDatabase) async throws {
            try await inside(database, "passkey") { house in
                let (passkeys, id) = (KeptPasskeys(origin: house.issuer), UUID())
                let first = try await house.app(passkeys: passkeys)
                let request = try await first.request(.testKey, id: id)
                let profile = try await first.registerWithPIN(request, id, Self.first).profile
                try await first.addPasskey(profile.id, Self.first)
                let people = try await house.people()
                for moment in KillingTransport.Moment.allCases {
                    for path in ["/registration/passkeys/sign-in", "/token"] {
                        let cut = Cut(moment, path)
                        let app = try await house.app(passkeys: passkeys)
                        let session = try await app.survives(cut) {
                            try await app.client.signIn(.passkey)
                        }
                        #expect(session.profile.userID == profile.userID, "\(cut)")
                        #expect(try await app.client.profiles == [session.profile], "\(cut)")
                        try await session.refresh()
                        #expect(try await house.people() == people, "\(cut)")
                    }
                }
            }
        }

        // MARK: PINs

        private static let (first, second) = ("24681", "97135")

        @Test("A PIN is set once, and counts from then on", arguments: StoryDatabase.available)
        func createPIN(_ database: StoryDatabase) async throws {
            try await inside(database, "create-pin") { house in
                for cut in [
                    Cut(.during, "/registration"), Cut(.after, "/registration"),
                    Cut(.before, "/token"),
                ] {
                    let (app, id) = (try await house.app(), UUID())
                    let before = try await house.people().count
                    let request = try await app.request(.testKey, id: id)
                    let made = try await app.survives(cut) {
                        try await app.registerWithPIN(request, id, Self.first)
                    }
                    #expect(made.profile.hasPIN)
                    try await app.client.signOut(made.profile.id)
                    #expect(try await app.signIn(made.profile.id, Self.first) == 0, "\(cut)")
                    #expect(try await house.people().count == before + 1, "\(cut)")
                }
            }
        }

        @Test(
            "A registration whose sign-in is lost is stored: repeated, it is the same profile",
            arguments: StoryDatabase.available)
        func lostSignIn(_ database: StoryDatabase) async throws {
            try await inside(database, "lost-sign-in") { house in
                let (app, id) = (try await house.app(), UUID())
                let before = try await house.people().count
                let request = try await app.request(.testKey, id: id)
                let profile = try await app.survives(Cut(.after, "/token")) {
                    try await app.registerWithPIN(request, id, Self.first).profile
                }
                #expect(try await app.client.profiles == [profile])
                let wrong = try await app.signIn(profile.id, Self.first)
                #expect(wrong == 0)
                let after = try await house.people().count
                #expect(after == before + 1)
            }
        }

        @Test(
            "A right PIN stays right, and is never counted as a wrong one",
            arguments: StoryDatabase.available)
        func provePIN(_ database: StoryDatabase) async throws {
            try await inside(database, "prove-pin") { house in
                let (app, id) = (try await house.app(), UUID())
                let request = try await app.request(.testKey, id: id)
                let profile = try await app.registerWithPIN(request, id, Self.first).profile
                for cut in [
                    Cut(.during, "/registration/pin/challenge"), Cut(.before, "/token"),
                    Cut(.during, "/token"), Cut(.after, "/token"),
                ] {
                    let wrong = try await app.survives(cut) {
                        try await app.signIn(profile.id, Self.first)
                    }
                    #expect(wrong == 0, "\(cut)")
                }
            }
        }

        @Test(
            "A changed PIN is the old one or the new one, never neither",
            arguments: StoryDatabase.available)
        func changePIN(_ database: StoryDatabase) async throws {
            try await inside(database, "change-pin") { house in
                let (app, id) = (try await house.app(), UUID())
                let request = try await app.request(.testKey, id: id)
                let profile = try await app.registerWithPIN(request, id, Self.first).profile
                var (old, new) = (Self.first, Self.second)
                // The first change also commits the first secret.
                try await app.changePIN(profile.id, from: old, to: old)
                // First the offer, then the commit.
                for cut in [
                    Cut(.during, "/registration/pin"), Cut(.after, "/registration/pin"),
                    Cut(.during, "/registration/pin", sparing: 1),
                    Cut(.after, "/registration/pin", sparing: 1),
                ] {
                    try await app.survives(cut) {
                        try await app.changePIN(profile.id, from: old, to: new)
                    }
                    #expect(try await app.signIn(profile.id, new) == 0, "\(cut)")
                    #expect(try await app.signIn(profile.id, old, new) == 1, "\(cut)")
                    (old, new) = (new, old)
                }
            }
        }

        // MARK: Leaving

        @Test(
            "An installation is there or gone, with its key and all that was given to it",
            arguments: StoryDatabase.available)
        func installation(_ database: StoryDatabase) async throws {
            try await inside(database, "leave") { house in
                for moment in KillingTransport.Moment.allCases {
                    let app = try await house.app()
                    let profile = try await app.registered()
                    let session = try await app.client.signIn(.deviceKey, as: profile.id)
                    let address = house.issuer + "/registration/installations/current"
                    let answer = try await app.survives(Cut(moment, "/installations/current")) {
                        try await session.data(for: ResourceRequest(address, method: "DELETE"))
                    }
                    // Gone by now, or gone already: then the token is dead, and says so.
                    #expect([204, 401].contains(answer.status), "\(moment)")
                    #expect(try await house.people()[profile.userID] == 0, "\(moment)")
                    await #expect(throws: IdentityError.self) {
                        try await app.client.signIn(.deviceKey, as: profile.id)
                    }
                }
            }
        }

        @Test(
            "An account is closed once, with all that is bound to it",
            arguments: StoryDatabase.available)
        func account(_ database: StoryDatabase) async throws {
            try await inside(database, "close") { house in
                for moment in KillingTransport.Moment.allCases {
                    let app = try await house.app()
                    let profile = try await app.registered()
                    _ = try await app.client.signIn(.deviceKey, as: profile.id)
                    let people = try await house.people()
                    do {
                        try await app.survives(Cut(moment, "/registration/account")) {
                            try await app.client.deleteAccount(of: profile.id)
                        }
                        #expect(try await app.client.profiles.isEmpty)
                    } catch let error as IdentityError {
                        // The account was closed the first time, so there is no session to close it
                        // again.
                        #expect([.notSignedIn, .notAuthorized].contains(error.code), "\(error)")
                    }
                    var expected = people
                    expected[profile.userID] = nil
                    #expect(try await house.people() == expected, "\(moment)")
                }
            }
        }

        @Test(
            "An administrator's removal is whole: no key and no token outlives the person",
            arguments: StoryDatabase.available)
        func administrator(_ database: StoryDatabase) async throws {
            try await inside(database, "remove") { house in
                for moment in KillingTransport.Moment.allCases {
                    let app = try await house.app()
                    let profile = try await app.registered()
                    let session = try await app.client.signIn(.deviceKey, as: profile.id)
                    try await KillMoment(pid: house.pid).strike(moment) {
                        try await house.kill()
                    } _: {
                        _ = try await house.removePerson(profile.userID)
                    }
                    let status = try await house.removePerson(profile.userID)
                    #expect([204, 404].contains(status), "\(moment)")
                    #expect(try await house.people()[profile.userID] == nil)
                    await #expect(throws: IdentityError.self) { try await session.refresh() }
                }
            }
        }
    }
}
