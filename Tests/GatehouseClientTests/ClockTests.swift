// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import JOSE
import Testing

/// Apps on machines whose clocks are wrong; the provider's is right.
@Suite("Wrong clocks") struct ClockTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let undated: UndatedTransport

    init() async throws {
        provider = try await InProcessProvider()
        wire = FaultyTransport(provider)
        undated = UndatedTransport(inner: wire)
    }

    private func clock(off seconds: Int) -> VirtualClock {
        VirtualClock(provider.clock.now.addingTimeInterval(Double(seconds)))
    }

    /// Whether a session renews itself by its refresh token, twice.
    private func renews(_ session: UserSession, _ clock: VirtualClock) async throws -> Bool {
        let challenges = wire.count("/sign-in/challenge")
        for _ in 0..<2 {
            let before = try await session.accessToken()
            clock.advance(by: .seconds(3700))
            provider.clock.advance(by: .seconds(3700))
            guard try await session.accessToken() != before else { return false }
        }
        return wire.count("/sign-in/challenge") == challenges
    }

    @Test(
        "An app registers, signs in by its key and renews itself by whatever clock",
        arguments: [-172_800, -3600, -120, -25, 25, 120, 3600, 172_800])
    func byKey(_ seconds: Int) async throws {
        let clock = clock(off: seconds)
        let client = try provider.client(transport: wire, time: clock)
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        #expect(session.idToken != nil)
        let left = try await session.accessToken().expiresAt.timeIntervalSince(clock.now)
        #expect(left == 3600)
        #expect(try await renews(session, clock))
    }

    @Test("What somebody approves is dated by the provider's clock", arguments: [-3600, 3600])
    func approves(_ seconds: Int) async throws {
        let client = try provider.client(transport: wire, time: clock(off: seconds))
        let profile = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey)
        let asker = try await provider.approvalAsker()
        try await client.approvals.enroll(profile.id)
        let asked = try await asker.ask(profile.userID, message: "Order 7")
        let request = try #require(try await client.approvals.pending(for: profile.id).first)
        let flow = client.approvals.handle(request)
        for try await case .confirm(let challenge) in flow { try challenge.approve() }
        #expect(try await flow.outcome == .approved)
        guard case .approved(let signed) = try await asker.result(of: asked) else {
            Issue.record("not approved")
            return
        }
        let payload = try UnverifiedJWS(compact: signed).payload
        let claims = try JSONParser.parseObject(payload, maximumBytes: 65_536)
        let signedAt = try #require(claims["iat"]?.integer)
        #expect(abs(Double(signedAt) - provider.clock.now.timeIntervalSince1970) <= 30)
    }

    @Test("And by a PIN", arguments: [-3600, 3600])
    func byPIN(_ seconds: Int) async throws {
        let clock = clock(off: seconds)
        let client = try provider.client(transport: wire, time: clock)
        let flow = client.registration(.credential(try provider.testKey()))
        for try await case .createPIN(let challenge) in flow {
            try challenge.respond(with: try PIN("24681"))
        }
        let outcome = try await flow.outcome
        #expect(try await renews(outcome.session, clock))
        try await client.signOut(outcome.profile.id)
        let again = client.authenticate(outcome.profile.id)
        for try await case .enterPIN(let challenge) in again {
            try challenge.respond(with: try PIN("24681"))
        }
        #expect(try await renews(again.outcome, clock))
    }

    private func registerInBrowser(_ client: IdentityClient) async throws -> UserSession {
        try await client.signIn(with: try await ScriptedBrowser("anna", at: provider))
    }

    @Test("And in a browser, also of a provider that dates nothing", arguments: [-3600, 3600])
    func inBrowser(_ seconds: Int) async throws {
        for transport: any HTTPTransport in [wire, undated] {
            let clock = clock(off: seconds)
            let client = try provider.client(transport: transport, time: clock)
            #expect(try await renews(registerInBrowser(client), clock))
        }
    }

    @Test(
        "Days off, and nobody says what time it is: the clock is named as the reason",
        arguments: [-172_800, 172_800])
    func clockWrong(_ seconds: Int) async throws {
        let client = try provider.client(transport: undated, time: clock(off: seconds))
        await #expect(throws: IdentityError.made(.generic, .clockWrong)) {
            _ = try await registerInBrowser(client)
        }
        #expect(IdentityError.made(.generic, .clockWrong).legacyCode == 9031)
        #expect(try await client.profiles.isEmpty)
    }

    @Test(
        "Tokens that a refresh token was used up for are kept, whatever their ID token's times say",
        arguments: [-259_200, 259_200])
    func kept(_ seconds: Int64) async throws {
        let clock = clock(off: 0)
        let client = try provider.client(transport: undated, time: clock)
        let session = try await registerInBrowser(client)
        clock.advance(by: .seconds(seconds))
        provider.clock.advance(by: .seconds(60))
        #expect(try await renews(session, clock))
        #expect(session.idToken != nil)
    }
}

/// A provider behind something that takes the dates away.
private struct UndatedTransport: HTTPTransport {
    let inner: FaultyTransport

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        var answer = try await inner.response(to: request)
        answer.headers["date"] = nil
        return answer
    }
}
