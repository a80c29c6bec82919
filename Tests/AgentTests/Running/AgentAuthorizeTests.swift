import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Synchronization
import Testing

/// Requests of apps that a profile has an extension answer.
@Suite struct AgentAuthorizeTests {
    /// Answers requests by what they ask for, and remembers them.
    private final class Desk: AnsweringExtension {
        let requests = Mutex<[ExtensionAuthorizationRequest]>([])
        let registration = ScriptedExtension()

        func authorize(
            _ request: ExtensionAuthorizationRequest, _ manager: any ExtensionLoginManager
        ) async -> ExtensionAuthorizationResponse {
            requests.withLock { $0.append(request) }
            switch request.operation {
            case "login":
                let name = try? await manager.present(.line("Who?", suggestion: nil))
                return name.map { .headers(["x-user": $0]) } ?? .canceled
            case "key":
                let key = try? await manager.deviceKeys().signing
                return .headers(["x-key": key == nil ? "none" : "there"])
            case "configure":
                do {
                    try await manager.saveLoginConfiguration(ScriptedExtension.configuration)
                } catch { return .notHandled }
                return .completed
            case "save":
                do { try await manager.saveTokens(JSONObject()) } catch { return .notHandled }
                return .completed
            default: return .response(url: nil, status: 302, headers: [:], body: nil)
            }
        }
    }

    private let setting = SignInSetting()
    private let desk = Desk()

    private func agent(denied: [String] = []) async throws -> Agent {
        var profile = TestProfile(token: "t")
        profile.denied = denied
        try setting.install(profile)
        let agent = try await setting.agent(serving: desk)
        _ = try await setting.device(of: agent)
        return agent
    }

    private func answer(
        _ agent: Agent, _ request: AppRequest,
        _ conversation: ScriptedConversation = ScriptedConversation(),
        by program: String? = "/usr/bin/app"
    ) async -> ExtensionAuthorizationResponse {
        await agent.authorize(request, by: program, of: "anna", conversation)
    }

    private func request(
        _ url: String = "https://idp.example.com/files?a=b", operation: String = ""
    ) -> AppRequest {
        var request = AppRequest(url: url)
        request.operation = operation
        return request
    }

    @Test("A request below an address of the profile gets what the extension answers")
    func redirect() async throws {
        let agent = try await agent()
        #expect(
            await answer(agent, request())
                == .response(url: nil, status: 302, headers: [:], body: nil))
        let asked = try #require(desk.requests.withLock { $0.first })
        #expect(asked.url == "https://idp.example.com/files?a=b")
        #expect(asked.callerBundleIdentifier == "/usr/bin/app")
        #expect(asked.callerDisplayName == "app")
    }

    @Test(
        "What the profile does not name goes its ordinary way, and no extension hears of it",
        arguments: [
            "http://idp.example.com/", "https://idp.example.com.evil.example/",
            "https://idp.example.com:444/", "https://other.example.com/", "idp.example.com", "",
            "https://idp.example.com@evil.example/",
        ])
    func elsewhere(url: String) async throws {
        let agent = try await agent()
        #expect(await answer(agent, request(url)) == .notHandled)
        #expect(desk.requests.withLock { $0.isEmpty })
    }

    @Test("A challenge of a realm that no profile has goes its ordinary way")
    func realm() async throws {
        let agent = try await agent()
        var challenge = request()
        challenge.realm = "EXAMPLE.COM"
        #expect(await answer(agent, challenge) == .notHandled)
    }

    @Test("A program that the profile denies goes its ordinary way, whatever it calls itself")
    func denied() async throws {
        let agent = try await agent(denied: ["/usr/bin/app"])
        #expect(await answer(agent, request()) == .notHandled)
        #expect(await answer(agent, request(), by: "/usr/bin/other") != .notHandled)
        #expect(desk.requests.withLock { $0.count } == 1)
    }

    @Test("The person is asked where that is allowed, and only there")
    func people() async throws {
        let agent = try await agent()
        let login = request(operation: "login")
        #expect(
            await answer(agent, login, ScriptedConversation(["anna"]))
                == .headers(["x-user": "anna"]))
        #expect(await answer(agent, login) == .canceled)
        var silent = login
        silent.isUserInterfaceEnabled = false
        #expect(await answer(agent, silent, ScriptedConversation(["anna"])) == .canceled)
    }

    @Test("The extension has the device's keys, and sets what is the person's")
    func manager() async throws {
        let agent = try await agent()
        #expect(
            await answer(agent, request(operation: "key")) == .headers(["x-key": "there"]))
        #expect(await answer(agent, request(operation: "save")) == .completed)
        #expect(await agent.record.people["anna"]?.tokens == JSONObject())
    }

    @Test("A configuration for a device without keys is refused, not forgotten")
    func withoutKeys() async throws {
        try setting.install(TestProfile())
        let agent = try await setting.agent(serving: desk)
        #expect(await answer(agent, request(operation: "configure")) == .notHandled)
        #expect(await agent.record.devices.isEmpty)
    }

    @Test("A request is read as it was written, and nothing else is")
    func json() throws {
        var whole = request(operation: "login")
        (whole.headers, whole.options) = (["a": "b"], ["c": "d"])
        (whole.body, whole.realm, whole.isUserInterfaceEnabled) = ([1, 2], "R", false)
        #expect(AppRequest(whole.json) == whole)
        #expect(AppRequest(request().json) == request())
        for text in [
            "{}", "[]", "\"https://a\"", #"{"url":1}"#, #"{"url":"u","headers":[]}"#,
            #"{"url":"u","headers":{"a":1}}"#, #"{"url":"u","body":"!"}"#,
            #"{"url":"u","operation":1}"#, #"{"url":"u","realm":{}}"#, #"{"url":"u","options":1}"#,
            #"{"url":"u","interface_enabled":"yes"}"#,
        ] {
            let value = try JSONParser.parse(
                Array(text.utf8), maximumBytes: 1000, maximumDepth: 8)
            #expect(AppRequest(value) == nil, "\(text)")
        }
        #expect(AppRequest(nil) == nil)
    }
}
