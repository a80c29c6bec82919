// SPDX-License-Identifier: Apache-2.0
import AgentClient
import OAuth
import PlatformSSO
import Primitives
import UserClient

extension GatehouseExtension {
    /// Signs a person in on a page of the provider who may register devices or themselves.
    ///
    /// - Parameter known: The person who must sign in; `nil` for any person with the right.
    /// - Throws: `anotherPerson` if another person signed in. An access token does not identify the
    ///   person, and usernames are assigned again when people leave.
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
        // A registration requires a new sign-in.
        return try await BrowserSignIn(client: client, directory: directory).run(
            scope: scope, prompt: "login"
        ) { address in
            _ = try? await manager.present(.page(address))
        }
    }

    /// Signs in on another device, such as a phone: without a browser the response cannot reach
    /// this device (RFC 8628). `nil` if the provider does not support it.
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
    /// Whether a sign-in is of that person, by its verified ID token. A token without an identity
    /// is of no person.
    fileprivate func isSame(as tokens: TokenSet) -> Bool {
        LoginIdentity(
            issuer: tokens.issuer, subject: tokens.subject, claim: "sub",
            identifier: tokens.subject
        ).map { isSame(as: $0) } ?? false
    }
}
