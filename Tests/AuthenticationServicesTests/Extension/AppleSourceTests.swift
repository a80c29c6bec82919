// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import JOSE
import SingleSignOn
import Testing

/// An extension in the words of Apple's documentation, which does not import Foundation: that this file
/// compiles is half of what it shows.
@MainActor @Suite struct AppleSourceTests {
    private final class Words: NSObject, ASAuthorizationProviderExtensionRegistrationHandler,
        ASAuthorizationProviderExtensionAuthorizationRequestHandler
    {
        func beginDeviceRegistration(
            loginManager: ASAuthorizationProviderExtensionLoginManager,
            options: ASAuthorizationProviderExtensionRequestOptions = [],
            completion: @escaping (ASAuthorizationProviderExtensionRegistrationResult) -> Void
        ) {
            guard options.contains(.openIDFallback), let page = URL(string: "https://idp.test/a"),
                let endpoint = URL(string: "https://idp.test/token")
            else { return completion(.failedNoRetry) }
            let configuration = ASAuthorizationProviderExtensionLoginConfiguration(
                clientID: "c", issuer: "i", tokenEndpointURL: endpoint, jwksEndpointURL: endpoint,
                audience: nil)
            configuration.fallbackFederationType = .openID
            configuration.authorizationURL = page
            configuration.authorizationURLKeypath = "where"
            // Neither is an optional there.
            let kept: URL = configuration.authorizationURL
            let path: String = configuration.authorizationURLKeypath
            do {
                try loginManager.saveLoginConfiguration(configuration)
                completion(kept == page && path == "where" ? .success : .failed)
            } catch {
                completion(.failed)
            }
        }

        func beginUserRegistration(
            loginManager: ASAuthorizationProviderExtensionLoginManager, userName: String?,
            method: ASAuthorizationProviderExtensionAuthenticationMethod,
            options: ASAuthorizationProviderExtensionRequestOptions,
            completion: @escaping (ASAuthorizationProviderExtensionRegistrationResult) -> Void
        ) { completion(userName == nil ? .userInterfaceRequired : .success) }

        func beginAuthorization(
            with request: ASAuthorizationProviderExtensionAuthorizationRequest
        ) {
            let response = HTTPURLResponse(
                url: request.url, statusCode: 204, httpVersion: nil, headerFields: nil)
            guard let response else { return request.doNotHandle() }
            let result = ASAuthorizationProviderExtensionAuthorizationResult(
                httpResponse: response, httpBody: Data([1]))
            result.privateKeys = [NSObject()]
            request.complete(authorizationResult: result)
        }
    }

    @Test("Completions need no @Sendable, Foundation comes along, a web login has its two names")
    func registration() async throws {
        let agent = PlayedAgentEnd(Words())
        let state = ExtensionLoginState()
        let asked = ExtensionHostRequest.registerDevice(state, .openIDFallback)
        #expect(await agent.ask(asked, number: 1) == .registration(.success))
        #expect(
            await agent.ask(.registerDevice(state, []), number: 2) == .registration(.failedNoRetry))
        guard case .saveLoginConfiguration(let saved)? = agent.calls.first else {
            Issue.record("nothing was saved")
            return
        }
        #expect(saved["authorizationURL"]?.string == "https://idp.test/a")
        #expect(saved["authorizationURLKeypath"]?.string == "where")
        _ = try await agent.stop()
    }

    @Test("Private keys of a result go nowhere, and the rest of it does")
    func privateKeys() async throws {
        let agent = PlayedAgentEnd(Words())
        let request = ExtensionAuthorizationRequest(url: "https://idp.test/auth")
        let answer = await agent.ask(.authorize(request, ExtensionLoginState()))
        #expect(
            answer
                == .authorization(
                    .response(url: "https://idp.test/auth", status: 204, headers: [:], body: [1])))
        _ = try await agent.stop()
    }

    @Test("What was never set of a web login is nil")
    func unset() throws {
        let endpoint = try #require(URL(string: "https://idp.test/token"))
        let configuration = ASAuthorizationProviderExtensionLoginConfiguration(
            clientID: "c", issuer: "i", tokenEndpointURL: endpoint, jwksEndpointURL: endpoint,
            audience: nil)
        #expect(configuration.authorizationURL == nil)
        #expect(configuration.authorizationURLKeypath == nil)
    }
}
