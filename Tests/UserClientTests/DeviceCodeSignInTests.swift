// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import Support
import Synchronization
import Testing
import UserClient

@Suite("Sign-in with a browser on another device")
struct DeviceCodeSignInTests {
    let provider: ScriptedProvider

    init() throws { provider = try ScriptedProvider() }

    /// Remembers how long was waited, and lets the clock go on by it.
    private final class Pauses: Sendable {
        private let seconds = Mutex<[Int64]>([])
        var all: [Int64] { seconds.withLock { $0 } }
        func add(_ pause: Int64) { seconds.withLock { $0.append(pause) } }
    }

    private func signIn(_ pauses: Pauses) async throws -> DeviceCodeSignIn {
        let directory = try await provider.client.discover(ScriptedProvider.issuer)
        let clock = provider.clock
        return DeviceCodeSignIn(client: provider.client, directory: directory) { seconds in
            pauses.add(seconds)
            clock.advance(by: .seconds(seconds))
        }
    }

    @Test("The server is asked as often as it allows, until the person has decided")
    func polls() async throws {
        let pauses = Pauses()
        let signIn = try await signIn(pauses)
        let device = try await signIn.begin(scope: "openid")
        #expect(device.userCode == "BCDF-GHJK")
        #expect(device.verificationURIComplete == device.verificationURI)
        provider.answerTokens(
            ScriptedProvider.error("authorization_pending"), ScriptedProvider.error("slow_down"),
            ScriptedProvider.error("authorization_pending"), try provider.tokens())
        let tokens = try await signIn.finish(device)
        #expect(tokens.accessToken == Secret("a1"))
        #expect(pauses.all == [5, 5, 10, 10])
    }

    @Test("The machine says what it is called, where it knows")
    func named() async throws {
        let signIn = try await signIn(Pauses())
        _ = try await signIn.begin(scope: "openid", name: "laptop-7", model: "ThinkPad X1")
        #expect(provider.forms.last?["device_name"] == "laptop-7")
        #expect(provider.forms.last?["device_model"] == "ThinkPad X1")
        _ = try await signIn.begin(scope: "openid")
        let names = try #require(provider.forms.last).keys.sorted()
        #expect(names == ["client_id", "scope"])
    }

    @Test("A denied or an expired code ends the waiting")
    func ends() async throws {
        let signIn = try await signIn(Pauses())
        let device = try await signIn.begin(scope: "openid")
        provider.answerTokens(ScriptedProvider.error("access_denied"))
        await #expect(
            throws: UserClientError.refused(code: "access_denied", description: "because")
        ) { try await signIn.finish(device) }
        provider.answerTokens(ScriptedProvider.error("expired_token"))
        await #expect(throws: UserClientError.timedOut) { try await signIn.finish(device) }
    }

    @Test("The wait ends with the lifetime of the code")
    func givesUp() async throws {
        let pauses = Pauses()
        let signIn = try await signIn(pauses)
        let device = try await signIn.begin(scope: "openid")
        provider.answerTokens(ScriptedProvider.error("authorization_pending"))
        await #expect(throws: UserClientError.timedOut) { try await signIn.finish(device) }
        #expect(pauses.all.reduce(0, +) == 600)
    }

    @Test("An issuer without the grant says so")
    func notOffered() async throws {
        provider.set(metadata: "device_authorization_endpoint", nil)
        let signIn = try await signIn(Pauses())
        await #expect(throws: UserClientError.self) { try await signIn.begin(scope: "openid") }
    }
}
