// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation
import SingleSignOn
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests of apps, from an extension's side: what it sees, and how they end.
@MainActor @Suite struct AuthorizationRequestTests {
    private let principal = PlayedExtension()

    private func ask(
        _ change: (inout ExtensionAuthorizationRequest) -> Void = { _ in },
        _ body: @escaping (ASAuthorizationProviderExtensionAuthorizationRequest) -> Void
    ) async throws -> ExtensionAuthorizationResponse? {
        principal.authorize = body
        let agent = PlayedAgentEnd(principal)
        var request = ExtensionAuthorizationRequest(url: "https://idp.example.com/auth?x=1")
        change(&request)
        let answer = await agent.ask(.authorize(request, ExtensionLoginState()))
        #expect(try await agent.stop().isEmpty)
        guard case .authorization(let authorization)? = answer else { return nil }
        return authorization
    }

    @Test("An extension sees the whole request and who makes it")
    func sees() async throws {
        let answer = try await ask {
            $0.operation = "login"
            $0.headers = ["Accept": "text/html"]
            $0.body = [1, 2]
            $0.realm = "EXAMPLE.COM"
            $0.options = ["prompt": "none"]
            $0.callerBundleIdentifier = "com.example.app"
            $0.callerTeamIdentifier = "TEAM"
            $0.callerDisplayName = "App"
            $0.isCallerManaged = true
            $0.isUserInterfaceEnabled = false
        } _: { request in
            #expect(request.url.absoluteString == "https://idp.example.com/auth?x=1")
            #expect(request.requestedOperation == .init("login"))
            #expect(request.httpHeaders == ["Accept": "text/html"])
            #expect(request.httpBody == Data([1, 2]))
            #expect(request.realm == "EXAMPLE.COM")
            #expect(request.authorizationOptions["prompt"] as? String == "none")
            #expect(request.callerBundleIdentifier == "com.example.app")
            #expect(request.callerTeamIdentifier == "TEAM")
            #expect(request.localizedCallerDisplayName == "App")
            #expect(request.isCallerManaged && !request.isUserInterfaceEnabled)
            #expect(request.loginManager != nil)
            request.complete()
        }
        #expect(answer == .completed)
    }

    @Test("The caller's process is named as on Apple's systems, where the agent knows it")
    func auditToken() async throws {
        let answer = try await ask {
            $0.callerProcess = ExtensionCaller(
                userID: 501, groupID: 20, processID: 4711, generation: 99)
        } _: { request in
            let numbers = request.callerAuditToken.withUnsafeBytes {
                Array($0.bindMemory(to: UInt32.self))
            }
            #expect(numbers == [501, 501, 20, 501, 20, 4711, 0, 99])
            request.complete()
        }
        #expect(answer == .completed)
        let unknown = try await ask { request in
            #expect(request.callerAuditToken.isEmpty)
            request.complete()
        }
        #expect(unknown == .completed)
    }

    @Test("Headers, a whole answer, or a result come back as they are")
    func completes() async throws {
        let headers = ["Authorization": "Bearer x"]
        #expect(
            try await ask { $0.complete(httpAuthorizationHeaders: headers) } == .headers(headers))
        let url = try #require(URL(string: "https://idp.example.com/auth"))
        let answer = try await ask { request in
            let response = HTTPURLResponse(
                url: url, statusCode: 302, httpVersion: "HTTP/1.1",
                headerFields: ["Location": "https://app.example.com/cb"])
            guard let response else { return }
            request.complete(
                authorizationResult: .init(httpResponse: response, httpBody: Data([7])))
        }
        #expect(
            answer
                == .response(
                    url: url.absoluteString, status: 302,
                    headers: ["Location": "https://app.example.com/cb"], body: [7]))
    }

    @Test("Not handled, cancelled and failed are three results")
    func ends() async throws {
        #expect(try await ask { $0.doNotHandle() } == .notHandled)
        #expect(try await ask { $0.cancel() } == .canceled)
        let answer = try await ask { request in
            request.complete(
                error: NSError(
                    domain: "com.example", code: 7,
                    userInfo: [NSLocalizedDescriptionKey: "No such tenant."]))
        }
        #expect(answer == .failed(domain: "com.example", code: 7, reason: "No such tenant."))
    }

    @Test("The first end counts; a second changes nothing")
    func endsTwice() async throws {
        let answer = try await ask { request in
            request.doNotHandle()
            request.complete(httpAuthorizationHeaders: ["Authorization": "Bearer x"])
        }
        #expect(answer == .notHandled)
    }

    @Test("A request that is lost goes its ordinary way")
    func lost() async throws {
        #expect(try await ask { _ in } == .notHandled)
    }

    @Test("Presenting can be awaited, and throws where nothing may be shown")
    func presentsAsync() async throws {
        for isAllowed in [true, false] {
            let answer = try await ask {
                $0.isUserInterfaceEnabled = isAllowed
            } _: { request in
                Task {
                    do {
                        try await request.presentAuthorizationViewController()
                        request.complete()
                    } catch {
                        request.cancel()
                    }
                }
            }
            #expect(answer == (isAllowed ? .completed : .canceled))
        }
    }

    @Test("Nothing is shown when nothing may be")
    func presentsSilently() async throws {
        let answer = try await ask {
            $0.isUserInterfaceEnabled = false
        } _: { request in
            request.presentAuthorizationViewController { isShown, error in
                let code = (error as? ASAuthorizationError)?.code
                if !isShown, code == .notInteractive { request.cancel() }
            }
        }
        #expect(answer == .canceled)
    }

    @Test("A cancellation is sent to the extension, for the same request")
    func canceled() async throws {
        let open = Mutex<ASAuthorizationProviderExtensionAuthorizationRequest?>(nil)
        principal.authorize = { request in open.withLock { $0 = request } }
        principal.canceled = { request in
            let isSame = open.withLock { $0 === request }
            request.complete(httpAuthorizationHeaders: ["Same": "\(isSame)"])
        }
        let agent = PlayedAgentEnd(principal)
        agent.send(
            .request(
                1, .authorize(.init(url: "https://idp.example.com/"), ExtensionLoginState())))
        agent.send(.cancel(1))
        #expect(
            try await agent.stop() == [.authorization(.headers(["Same": "true"]))])
    }
}
