// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import GatehouseClient
import GatehouseTesting
import Support
import Testing

/// What an app does for its person.
extension Ceremony {
    static let apps: [Ceremony] = [
        addingAuthenticator, removingAuthenticator, sessions, handoff, signOutEverywhere, loopback,
        ephemeral, signedJWT, consumption,
    ]

    private static func authenticators(
        _ session: UserSession, _ house: MortalHouse
    ) async throws -> Int? {
        let answer = try await session.data(
            for: ResourceRequest(house.issuer + "/registration/authenticators"))
        return try JSON(parsing: answer.body)["items"].array?.count
    }

    private static func enroll(_ client: IdentityClient, _ profile: Profile) async throws {
        let flow = client.enroll(.biometric, for: profile.id)
        for try await case .authenticator(let challenge) in flow {
            try challenge.respond(prompt: "Add a look")
        }
        _ = try await flow.outcome
    }

    private static let addingAuthenticator = Ceremony(name: "adding an authenticator") { house in
        {
            let (client, profile, _) = try await house.app(verifiers: [SoftwareVerifier()])
            return {
                try await persist { _ in try await enroll(client, profile) }
                try house.door.disarm()
                let flow = client.authenticate(profile.id, using: .biometric)
                for try await case .authenticator(let challenge) in flow {
                    try challenge.respond(prompt: "Sign in")
                }
                _ = try await flow.outcome
                let session = try await client.session(for: profile.id)
                #expect(try await authenticators(session, house) == 1)
            }
        }
    }

    /// The authenticator is deleted locally at once. If the provider was unreachable, it still has
    /// an unusable key, which is deleted with the next one.
    private static let removingAuthenticator = Ceremony(name: "removing an authenticator") {
        house in
        {
            let (client, profile, session) = try await house.app(verifiers: [SoftwareVerifier()])
            try await enroll(client, profile)
            return {
                let outcome = try await client.unenroll(.biometric, for: profile.id)
                try house.door.disarm()
                #expect(try await !client.authenticators(of: profile.id).contains(.biometric))
                if outcome.isComplete {
                    #expect(try await authenticators(session, house) == 0)
                }
                try await enroll(client, profile)
                #expect(try await authenticators(session, house) == 1)
            }
        }
    }

    private static let sessions = Ceremony(name: "sessions for less, of the device, for others") {
        house in
        {
            let (client, profile, session) = try await house.app()
            return {
                let implicit = try await persist { _ in
                    try await client.implicitSession(for: profile.id, scopes: ["weather"])
                }
                let device = try await persist { _ in try await client.device.session() }
                let other = try await persist { _ in
                    try await session.exchange(audience: "ledger")
                }
                try await persist { _ in try await session.refresh() }
                try house.door.disarm()
                #expect(try await implicit.accessToken().scopes.contains("weather"))
                #expect(try await device.accessToken().scopes == ["weather"])
                #expect(other.reveal() != (try await session.accessToken().reveal()))
                try await session.refresh()
            }
        }
    }

    private static func path(_ url: URL) -> String {
        url.path() + (url.query().map { "?\($0)" } ?? "")
    }

    private static func open(_ address: URL, in browser: FormAgent) async throws -> HTTPAnswer {
        let path = path(address)
        return try await blocking { try browser.follow(.init(path: path)) }
    }

    private static let handoff = Ceremony(name: "from the app to the web") { house in
        guard let account = URL(string: house.issuer + "/account") else { throw HarnessError("") }
        return {
            let (_, _, session) = try await house.app()
            return {
                let browser = house.browser()
                let address = try await persist { _ in try await session.webHandoff(to: account) }
                let page = try await persist { _ in try await open(address.url, in: browser) }
                // The page was consumed by an unread page or by a decision: then it reports that.
                let isAsked = HTMLForm.forms(in: page.text).contains { $0.has("decision") }
                if isAsked {
                    _ = try await persist { _ in
                        try await blocking {
                            try browser.submit(
                                page, at: "/handoff", [("decision", "mine")], having: "decision")
                        }
                    }
                } else {
                    #expect(page.text.contains("already used"))
                }
                try house.door.disarm()
                let wasSignedIn = browser.isSignedIn
                let again = try await open(
                    try await session.webHandoff(to: account).url, in: browser)
                let asks = HTMLForm.forms(in: again.text).contains { $0.has("decision") }
                #expect(wasSignedIn != asks, "neither signed in nor asked: \(again.text)")
            }
        }
    }

    private static let signOutEverywhere = Ceremony(name: "signing out everywhere") { house in
        guard let account = URL(string: house.issuer + "/account") else { throw HarnessError("") }
        return {
            let (client, profile, session) = try await house.app()
            let browser = house.browser()
            let page = try await open(try await session.webHandoff(to: account).url, in: browser)
            _ = try browser.submit(page, at: "/handoff", [("decision", "mine")], having: "decision")
            return {
                try await persist { _ in
                    try await client.signOut(profile.id, .everywhere).completed()
                }
                try house.door.disarm()
                let answer = try browser.send(.init(path: "/account"))
                #expect(answer["location"]?.contains("/sign-in") == true)
                let person = try await house.admin(
                    "GET", "/projects/default/people/\(profile.userID)")
                #expect(try JSON(parsing: person.body)["sessions"].array == [])
                _ = try await client.signIn(.deviceKey, as: profile.id)
            }
        }
    }

    /// The person reloads a page that does not load; an app that has lost its response starts
    /// again, in a browser with a session.
    private static let loopback = Ceremony(name: "a browser that answers to a port of this machine")
    {
        house in
        {
            let client = try await house.client()
            return {
                let browser = house.browser()
                let session = try await persist { _ in
                    try await client.signIn(
                        with: LoopbackPresenter { url in await visit(url, in: browser) })
                }
                try house.door.disarm()
                #expect(session.profile.username == "anna")
                #expect(try await client.profiles == [session.profile])
                try await session.refresh()
            }
        }
    }

    /// The guest is not stored. After a lost response there is a further session and no profile.
    private static let ephemeral = Ceremony(name: "a guest without stored data") { house in
        {
            let client = try await house.client()
            return {
                let browser = house.browser()
                let made = try await persist { _ in
                    try await registerGuest(client, in: browser)
                }
                try house.door.disarm()
                #expect(made.profile.username == "anna")
                #expect(try await client.profiles.isEmpty)
                #expect(try await client.pendingRegistrations.isEmpty)
                try await made.session.refresh()
                _ = try await made.session.accessToken()
            }
        }
    }

    /// Each attempt has another JWT: a lost one is consumed, or was never received.
    private static let signedJWT = Ceremony(name: "signing in with a signed JWT") { house in
        {
            let client = try await house.client()
            let issuer = try SignedJWTCredentialProvider(
                issuer: MortalState.vouching, keyID: "k1",
                privateKeyPEM: MortalState.issuerKey.pemRepresentation,
                subject: UUID().uuidString)
            let profile = try await client.register(.credential(issuer)).profile
            return {
                let session = try await persist { _ in
                    try await client.signIn(.credential(issuer))
                }
                try house.door.disarm()
                #expect(session.profile.userID == profile.userID)
                #expect(try await client.profiles.map(\.id) == [profile.id])
                try await session.refresh()
            }
        }
    }

    private static func registerGuest(
        _ client: IdentityClient, in browser: FormAgent
    ) async throws -> RegistrationOutcome {
        let flow = client.register(persistence: .ephemeral)
        for try await case .browser(let challenge) in flow {
            try await challenge.present(
                with: LoopbackPresenter { url in await visit(url, in: browser) })
        }
        return try await flow.outcome
    }

    /// Signs in where that is asked for, and brings what is said to the port that waits.
    private static func visit(_ url: URL, in browser: FormAgent) async {
        do {
            let answer = try await persist { _ in
                let page = try await open(url, in: browser)
                guard HTMLForm.forms(in: page.text).contains(where: { $0.has("password") }) else {
                    return page
                }
                return try await blocking {
                    try browser.submit(
                        page, at: "/sign-in",
                        [("username", "anna"), ("password", DeclaredState.password)],
                        having: "password")
                }
            }
            guard let back = answer["location"].flatMap({ URL(string: $0) }), let port = back.port
            else { throw HarnessError("no way back: \(answer.status) \(answer.text)") }
            _ = try await exchange(.init(path: path(back)), port: port)
        } catch {
            Issue.record("the page was not reached: \(error)")
        }
    }

    private static let consumption = Ceremony(name: "using up an entitlement") { house in
        {
            let (_, profile, session) = try await house.app(scopes: ["entitlements"])
            let given = try await house.admin(
                "POST", "/projects/default/people/\(profile.userID)/entitlements/expendable",
                ["request_id": .string(UUID().uuidString.lowercased()), "amounts": ["credits": 5]])
            #expect(given.status == 200, "\(given.text)")
            return {
                let id = UUID()
                let used = try await persist { _ in
                    try await session.consume("credits", amount: 2, idempotencyKey: id)
                }
                try house.door.disarm()
                #expect(used.remaining == 3)
                // A repetition with the same key: it was consumed once.
                let again = try await session.consume("credits", amount: 2, idempotencyKey: id)
                #expect(again.remaining == 3)
                let another = try await session.consume("credits", idempotencyKey: UUID())
                #expect(another.remaining == 2)
            }
        }
    }
}
