// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting
import Testing

/// After a sign-out in the browser, the next sign-in prompts the person.
@Suite("Signing out in the browser") struct BrowserSignOutTests {
    private let provider: InProcessProvider
    private let browser: ScriptedBrowser
    private let client: IdentityClient
    private let session: UserSession

    init() async throws {
        provider = try await InProcessProvider()
        browser = try await ScriptedBrowser("anna", at: provider)
        client = try provider.client()
        session = try await client.signIn(with: browser)
    }

    /// Whether the browser still lets the person in without a question.
    private func isSignedInThere() async throws -> Bool {
        let there = try? await provider.client().signIn(with: browser)
        return there?.profile.userID == session.profile.userID
    }

    @Test("The browser's session ends, and the one here; the profile stays")
    func signsOut() async throws {
        #expect(try await isSignedInThere())
        #expect(try await client.signOut(session.profile.id, in: browser).isComplete)
        #expect(try await !isSignedInThere())
        await #expect(throws: IdentityError.made(.authentication, .notSignedIn)) {
            try await client.session()
        }
        #expect(try await client.profiles.map(\.id) == [session.profile.id])
    }

    @Test("Signing out here alone leaves the browser's session")
    func notInBrowser() async throws {
        try await client.signOut(session.profile.id)
        #expect(try await isSignedInThere())
    }

    @Test("Who closes the page is signed out nowhere")
    func closed() async throws {
        await #expect(throws: IdentityError.made(.registration, .cancelled)) {
            try await client.signOut(session.profile.id, in: ClosedBrowser())
        }
        #expect(try await client.session().profile.id == session.profile.id)
        #expect(try await isSignedInThere())
    }

    @Test("An answer of another ceremony signs nobody out here", arguments: [nil, "made up"])
    func foreign(_ state: String?) async throws {
        await #expect(throws: IdentityError.made(.signOut, .redirectMismatch)) {
            try await client.signOut(session.profile.id, in: ForeignBrowser(state: state))
        }
        #expect(try await client.session().profile.id == session.profile.id)
    }

    @Test("Who is not signed in cannot be signed out")
    func notSignedIn() async throws {
        try await client.signOut(session.profile.id)
        await #expect(throws: IdentityError.made(.authentication, .notSignedIn)) {
            try await client.signOut(session.profile.id, in: browser)
        }
    }

    @Test("A provider without such a page cannot be asked")
    func noPage() async throws {
        let client = try provider.client(transport: Pageless(inner: provider))
        let profile = try await client.signIn(with: browser).profile.id
        await #expect(throws: IdentityError.made(.signOut, .methodNotSupported)) {
            try await client.signOut(profile, in: browser)
        }
    }
}

/// A provider that has no page to sign out.
private struct Pageless: HTTPTransport {
    let inner: InProcessProvider

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        var answer = try await inner.response(to: request)
        answer.body = Array(
            String(decoding: answer.body, as: UTF8.self)
                .replacing("end_session_endpoint", with: "x").utf8)
        return answer
    }
}

/// Closed before anything came back.
private struct ClosedBrowser: BrowserPresenter {
    func answer(to request: BrowserRequest) async throws -> BrowserResponse {
        throw IdentityError.made(.registration, .cancelled)
    }
}

/// Another program on this device that opens the redirect URL.
private struct ForeignBrowser: BrowserPresenter {
    let state: String?

    func answer(to request: BrowserRequest) async throws -> BrowserResponse {
        BrowserResponse(
            parameters: state.map { ["state": $0] } ?? [:],
            redirectURI: InProcessProvider.redirectURI)
    }
}
