// SPDX-License-Identifier: Apache-2.0
import OAuth
import PlatformSSO
import Primitives
import SingleSignOn
import UserClient

extension GatehouseExtension {
    /// Somebody who may register machines or themselves, on a page of the provider.
    ///
    /// - Parameter known: Who it has to be; `nil` where anybody who may will do.
    /// - Throws: `anotherPerson` when it was somebody else. An access token says nothing of that, and the
    ///   provider goes by names, which it gives to others when people leave.
    func signIn(
        _ manager: any ExtensionLoginManager, _ provider: GatehouseProvider,
        as known: LoginIdentity? = nil
    ) async throws -> Secret {
        let tokens = try await signInAnybody(manager, provider)
        if let known, !known.isSame(as: tokens) { throw ProviderError.anotherPerson }
        return tokens.accessToken
    }

    private func signInAnybody(
        _ manager: any ExtensionLoginManager, _ provider: GatehouseProvider
    ) async throws -> TokenSet {
        let client = OpenIDClient(
            clientID: manager.extensionData.text("client_id") ?? "platform-sso", web: exchange.web,
            clock: exchange.clock, random: exchange.random)
        let directory = try await client.discover(provider.issuer)
        let scope = "openid urn:apple:platformsso"
        if await !manager.hasBrowser,
            let tokens = try await signInElsewhere(client, directory, scope, manager)
        {
            return tokens
        }
        // Registering takes somebody who has just shown themselves.
        return try await BrowserSignIn(client: client, directory: directory).run(
            scope: scope, prompt: "login"
        ) { address in
            _ = try? await manager.present(.page(address))
        }
    }

    /// With a phone, say: where there is no browser, an answer could not come back here (RFC 8628).
    /// `nil` where the provider lets nobody in that way.
    private func signInElsewhere(
        _ client: OpenIDClient, _ directory: ProviderEndpoints, _ scope: String,
        _ manager: any ExtensionLoginManager
    ) async throws -> TokenSet? {
        guard directory.deviceAuthorization != nil else { return nil }
        let signIn = DeviceCodeSignIn(client: client, directory: directory, pause: pause)
        let device: DeviceAuthorizationResponse
        let facts = manager.facts
        do {
            device = try await signIn.begin(
                scope: scope, name: facts.hostName, model: facts.model)
        } catch {
            guard case UserClientError.refused(code: "unauthorized_client", _) = error else {
                throw error
            }
            return nil
        }
        _ = try await manager.present(
            .code(
                DeviceCodeInstructions(
                    url: device.verificationURI, code: device.userCode,
                    completeURL: device.verificationURIComplete)))
        return try await signIn.finish(device)
    }
}

extension LoginIdentity {
    /// Whether a sign-in is that person's, by its verified ID token. One that names nobody is nobody's.
    fileprivate func isSame(as tokens: TokenSet) -> Bool {
        LoginIdentity(
            issuer: tokens.issuer, subject: tokens.subject, claim: "sub",
            identifier: tokens.subject
        ).map { isSame(as: $0) } ?? false
    }
}
