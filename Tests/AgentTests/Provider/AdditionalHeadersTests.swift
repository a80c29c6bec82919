// SPDX-License-Identifier: Apache-2.0
import Agent
import JOSE
import PlatformSSO
import Primitives
import Support
import Synchronization
import Testing
import UserClient

/// Watches what goes to a provider.
private final class HeaderWatch: WebTransport {
    private let inner: any WebTransport
    private let state = Mutex<[(url: String, headers: [(String, String)])]>([])

    init(_ inner: any WebTransport) { self.inner = inner }

    func answer(to request: WebRequest) async throws -> WebResponse {
        state.withLock { $0.append((request.url, request.headers)) }
        return try await inner.answer(to: request)
    }

    /// The values of a header in each request to an address that ends so.
    func values(_ name: String, at suffix: String) -> [[String]] {
        state.withLock { seen in
            seen.filter { $0.url.hasSuffix(suffix) }
                .map { $0.headers.filter { $0.0 == name }.map(\.1) }
        }
    }
}

@Suite("Headers of a configuration")
struct AdditionalHeadersTests {
    private let clock = ManualClock()
    private let user = UserLoginConfiguration(loginUserName: "anna")

    @Test("They go with nonces, logins and refreshes; what is a message's own stays as it is")
    func sent() async throws {
        let random = SystemRandomSource()
        let keys = AgentKeyStore(.file, random: random)
        let (signing, encryption) = (
            try await keys.makeSigningKey(), try await keys.makeAgreementKey()
        )
        let watch = HeaderWatch(
            try PlayedProvider(
                clock: clock,
                device: DeviceKeys(
                    signing: signing.publicKey, encryption: [encryption.publicKey])))
        let exchange = ProviderExchange(web: watch, clock: clock, random: random).adding([
            "X-Proxy": "let me in", "Accept": "text/html", "Host": "elsewhere.example",
            "bad name": "a", "X-Line": "a\r\nX-Other: b",
        ])
        let client = ProviderClient(
            exchange: exchange, configuration: PlayedProvider.configuration, keys: keys,
            signing: signing, encryption: encryption)
        let login = try await client.signIn(user, password: Secret(PlayedProvider.password))
        _ = try await client.refresh(user, token: login.response.refreshToken)
        for (path, count) in [("/token", 3), ("/refresh", 1)] {
            #expect(
                watch.values("x-proxy", at: path)
                    == Array(repeating: ["let me in"], count: count), "\(path)")
            for name in ["host", "bad name", "x-line"] {
                #expect(watch.values(name, at: path).joined().isEmpty, "\(path) \(name)")
            }
            #expect(
                watch.values("accept", at: path).allSatisfy {
                    $0.count == 1 && $0 != ["text/html"]
                }, "\(path)")
        }
        #expect(watch.values("x-proxy", at: "/jwks") == [[], []])
    }
}
