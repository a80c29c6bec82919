// SPDX-License-Identifier: Apache-2.0
import JOSE
import UserClient

/// Registers a person with a page of the provider in a browser.
struct BrowserRegistration: Sendable {
    let dependencies: ClientDependencies
    let sessions: SessionRegistry
    let persistence: IdentityClient.Persistence

    init(
        _ dependencies: ClientDependencies, _ sessions: SessionRegistry,
        _ persistence: IdentityClient.Persistence
    ) {
        self.dependencies = persistence == .kept ? dependencies : dependencies.ephemeral()
        self.sessions = sessions
        self.persistence = persistence
    }

    func run(
        _ scopes: [String]?, with prompter: FlowPrompter<RegistrationStep>
    ) async throws -> RegistrationOutcome {
        let configuration = dependencies.configuration
        let documents = try await dependencies.connection.currentDocuments()
        let ceremony = BrowserSignIn(
            client: OpenIDClient(
                clientID: configuration.clientID, web: UnusedWeb(), clock: dependencies.clock,
                random: dependencies.random), directory: documents.directory)
        let signIn = IdentifiedSignIn(
            dependencies: dependencies, sessions: sessions, persistence: persistence)
        // The key exists before the page opens, so that the authorization code is bound to it.
        return try await signIn.run(.oidc) { endpoint in
            let page = BrowserRequest(
                ceremony, scope: (scopes ?? configuration.scopes).joined(separator: " "),
                keyThumbprint: documents.supportsDPoP
                    ? try endpoint.key.publicKey.jwk().thumbprintText : nil)
            let answer: BrowserChallenge.Response = try await prompter.prompt { continuation in
                .browser(
                    BrowserChallenge(
                        request: page, redirectURI: configuration.redirectURI,
                        continuation: continuation))
            }
            let (form, nonce) = try ceremony.redemption(
                of: answer.parameters, redirectURI: answer.redirectURI)
            return try await endpoint.request(
                form, expecting: .init(nonce: nonce), in: .registration)
        }
    }
}

/// A transport that sends nothing: the ceremony builds URLs and parses responses, and
/// ``TokenEndpointClient`` sends the request.
private struct UnusedWeb: WebTransport {
    func answer(to request: WebRequest) async throws -> WebResponse {
        throw UserClientError.unreachable(request.url)
    }
}
