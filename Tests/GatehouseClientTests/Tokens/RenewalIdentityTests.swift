// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting
import Support
import Synchronization
import Testing

/// A renewal is the same person's, and the same sign-in's (OpenID Connect Core section 12.2).
@Suite("Whose renewed tokens are") struct RenewalIdentityTests {
    /// Brings another answer of the token endpoint than the one that was asked for.
    private final class CrossedWire: HTTPTransport {
        private let inner: InProcessProvider
        private let state = Mutex<(last: ResourceResponse?, next: ResourceResponse?)>((nil, nil))

        init(_ inner: InProcessProvider) { self.inner = inner }

        /// The next request for tokens gets what the last one got.
        func cross() { state.withLock { $0.next = $0.last } }

        func response(to request: ResourceRequest) async throws -> ResourceResponse {
            guard request.url.hasSuffix("/token") else {
                return try await inner.response(to: request)
            }
            let crossed = state.withLock { state in
                defer { state.next = nil }
                return state.next
            }
            if let crossed { return crossed }
            let answer = try await inner.response(to: request)
            state.withLock { $0.last = answer }
            return answer
        }
    }

    private let provider: InProcessProvider
    private let wire: CrossedWire

    init() async throws {
        provider = try await InProcessProvider()
        wire = CrossedWire(provider)
    }

    /// Anna's session, with an expired access token.
    private func session(_ issuer: InProcessProvider.Issued) async throws -> UserSession {
        let client = try provider.client(transport: wire)
        try await client.register(.credential(issuer("anna")))
        let session = try await client.signIn(.deviceKey)
        provider.clock.advance(by: .seconds(3700))
        return session
    }

    private func expectRefused(_ session: UserSession, _ why: String) async throws {
        let userID = session.profile.userID
        wire.cross()
        let error = await #expect(throws: IdentityError.self) { try await session.accessToken() }
        #expect(error.map { "\($0)".contains(why) } == true, "\(String(describing: error))")
        // It goes on with what it has, as the same person.
        _ = try await session.accessToken()
        #expect(session.profile.userID == userID)
    }

    @Test("Attack: tokens of somebody else renew nothing, and the session goes on")
    func somebodyElse() async throws {
        let issuer = try await provider.addIssuer()
        let session = try await session(issuer)
        let other = try provider.client(transport: wire)
        try await other.register(.credential(issuer("bea")))
        try await other.signIn(.deviceKey)
        try await expectRefused(session, "another person")
    }

    @Test("Attack: tokens of a later sign-in of the same person renew nothing (auth_time)")
    func anotherSignIn() async throws {
        let issuer = try await provider.addIssuer()
        let session = try await session(issuer)
        let other = try provider.client(transport: wire)
        try await other.signIn(.credential(issuer("anna")))
        try await expectRefused(session, "auth_time")
    }
}
