// SPDX-License-Identifier: Apache-2.0
import JOSE
import UserClient

/// Signs a person in with a page of the provider, in a browser. The installation is not registered.
struct BrowserPageSignIn: Sendable {
    /// Displays a page, and returns the response.
    typealias Display =
        @Sendable (BrowserRequest, _ redirectURI: String?) async throws -> BrowserChallenge.Response

    let dependencies: ClientDependencies
    let sessions: SessionRegistry
    var persistence = IdentityClient.Persistence.kept
    let domain: IdentityError.Domain

    /// - Parameter known: The person who must sign in; with `nil` any person.
    func run(
        _ options: SignInOptions, as known: StoredProfile? = nil, display: @escaping Display
    ) async throws -> RegistrationOutcome {
        let configuration = dependencies.configuration
        let documents = try await dependencies.connection.currentDocuments()
        let ceremony = dependencies.browserSignIn(documents)
        let signIn = IdentifiedSignIn(
            dependencies: persistence == .kept ? dependencies : dependencies.ephemeral(),
            sessions: sessions, persistence: persistence)
        var options = options
        if options.loginHint == nil { options.loginHint = known?.username }
        let parameters = options.parameters
        let scope = (options.scopes ?? configuration.scopes).joined(separator: " ")
        let domain = domain
        // The key exists before the page opens, so that the authorization code is bound to it.
        return try await signIn.run(.oidc) { endpoint in
            let page = BrowserRequest(
                ceremony, scope: scope,
                keyThumbprint: documents.supportsDPoP
                    ? try endpoint.key.publicKey.jwk().thumbprintText : nil,
                options: parameters)
            let answer = try await display(page, configuration.redirectURI)
            let (form, nonce) = try ceremony.redemption(
                of: answer.parameters, redirectURI: answer.redirectURI)
            return try await endpoint.request(
                form, expecting: .init(nonce: nonce, subject: known?.userID), in: domain)
        }
    }
}

extension ClientDependencies {
    /// - Parameter secrets: Those of a sign-in that is resumed; `nil` creates new ones.
    func browserSignIn(
        _ documents: ProviderDocuments, secrets: BrowserSignIn.Secrets? = nil
    ) -> BrowserSignIn {
        BrowserSignIn(
            client: OpenIDClient(
                clientID: configuration.clientID, web: UnusedWeb(), clock: clock, random: random),
            directory: documents.directory, secrets: secrets)
    }
}

/// A transport that sends nothing: the ceremony builds URLs and parses responses, and
/// ``TokenEndpointClient`` sends the request.
private struct UnusedWeb: WebTransport {
    func answer(to request: WebRequest) async throws -> WebResponse {
        throw UserClientError.unreachable(request.url)
    }
}
