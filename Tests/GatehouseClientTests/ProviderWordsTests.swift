// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting
import Synchronization
import Testing

/// What a provider's words are here, and what never gets as far as a provider.
@Suite("What the provider says") struct ProviderWordsTests {
    private let provider: InProcessProvider
    private let refuser: Refuser
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        refuser = Refuser(provider)
        client = try provider.client(keys: keys, transport: refuser)
    }

    @Test(
        "A refused registration says which, and keeps the provider's own word",
        arguments: [
            ("missing_input", IdentityError.Code.requestInvalid),
            ("malformed_input", .requestInvalid),
            ("method_not_supported", .methodNotSupported), ("challenge_refused", .expired),
            ("key_proof_refused", .notAuthorized), ("evidence_refused", .notAuthorized),
            ("token_refused", .notAuthorized), ("token_expired", .notAuthorized),
            ("token_used", .notAuthorized), ("token_time_unit", .credentialTimeUnit),
            ("test_key_refused", .notAuthorized), ("person_disabled", .notAuthorized),
            ("already_registered", .alreadyRegistered), ("key_taken", .alreadyRegistered),
            ("device_registered", .alreadyRegistered),
            ("registration_id_taken", .registrationIDTaken),
            ("vendor_unavailable", .providerUnavailable),
            ("unknown_application", .configurationInvalid),
        ])
    func registration(_ word: String, _ code: IdentityError.Code) async throws {
        refuser.refuse("/registration", with: word)
        do {
            try await client.register(.credential(provider.testKey()))
            Issue.record("registered")
        } catch let error as IdentityError {
            #expect(error == IdentityError.made(.registration, code))
            #expect(error.serverCode == word)
        }
    }

    @Test("What is no answer of the protocol is said to be none", arguments: ["<html>", "{}", ""])
    func garbage(_ text: String) async throws {
        refuser.answer("/registration/challenge", text)
        await #expect(throws: IdentityError.made(.generic, .invalidAnswer)) {
            try await client.register(.credential(provider.testKey()))
        }
    }

    @Test("Without the scope for it nobody closes an account, and the profile stays")
    func scopeMissing() async throws {
        var configuration = provider.configuration
        configuration.scopes = ["openid", "profile"]
        let client = try IdentityClient(
            configuration: configuration, store: InMemorySecureStore(),
            keys: InMemoryKeyStore(), transport: provider, time: provider.clock)
        let profile = try await client.register(.credential(provider.testKey())).profile
        try await client.signIn(.deviceKey)
        await #expect(throws: IdentityError.made(.deregistration, .scopeMissing)) {
            try await client.deleteAccount(of: profile.id)
        }
        #expect(try await client.profiles == [profile])
    }

    @Test(
        "A method or a field that HTTP does not have goes nowhere, and no token with it",
        arguments: [
            ResourceRequest(apiURL, method: "GET /other"), ResourceRequest(apiURL, method: ""),
            ResourceRequest(apiURL, headers: [("x", "1\r\nauthorization: mine")]),
            ResourceRequest(apiURL, headers: [("x\n", "1")]),
            ResourceRequest(apiURL, headers: [("", "1")]),
        ])
    func malformed(_ request: ResourceRequest) async throws {
        try await client.register(.credential(provider.testKey()))
        let session = try await client.signIn(.deviceKey)
        let sent = refuser.count
        await #expect(throws: IdentityError.made(.resource, .requestInvalid)) {
            try await session.data(for: request)
        }
        var changed = request
        await #expect(throws: IdentityError.made(.resource, .requestInvalid)) {
            try await session.authorize(&changed)
        }
        #expect(refuser.count == sent && changed.headers.count == request.headers.count)
        let fine = ResourceRequest(apiURL, method: "M-SEARCH", headers: [("x", "é\t1")])
        #expect(try await session.data(for: fine).status == 200)
    }

    @Test("A provider that cannot answer now is told from one that cannot be reached")
    func unavailable() async throws {
        try await client.register(.credential(provider.testKey()))
        refuser.refuse("/token", with: "temporarily_unavailable")
        do {
            try await client.signIn(.deviceKey)
            Issue.record("signed in")
        } catch let error as IdentityError {
            #expect(error.code == .providerUnavailable && error.legacyCode == 9001)
            #expect(error.retry == .later)
        }
    }
}

private let apiURL = "https://api.example.com/notes"

/// Answers one address in the provider's place, and counts what is sent.
private final class Refuser: HTTPTransport {
    private let inner: InProcessProvider
    private let state = Mutex((path: "", answer: ResourceResponse(status: 403), count: 0))

    init(_ inner: InProcessProvider) { self.inner = inner }

    var count: Int { state.withLock { $0.count } }

    func refuse(_ pathEnd: String, with word: String) {
        answer(pathEnd, "{\"code\":\"\(word)\"}", status: 403)
    }

    func answer(_ pathEnd: String, _ text: String, status: Int = 200) {
        let answer = ResourceResponse(status: status, body: Array(text.utf8))
        state.withLock { ($0.path, $0.answer) = (pathEnd, answer) }
    }

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        let (path, answer) = state.withLock { state in
            state.count += 1
            return (state.path, state.answer)
        }
        if !path.isEmpty, request.url.hasSuffix(path) { return answer }
        guard request.url.hasPrefix(InProcessProvider.issuer) else {
            return ResourceResponse(status: 200)
        }
        return try await inner.response(to: request)
    }
}
