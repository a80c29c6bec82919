// SPDX-License-Identifier: Apache-2.0
import OAuth
package import Primitives

/// A sign-in with the browser of this device: authorization code with PKCE, and a response to a
/// loopback port (RFC 8252 section 7.3).
package struct BrowserSignIn: Sendable {
    private let client: OpenIDClient
    private let directory: ProviderEndpoints
    /// The values that bind a response to this sign-in.
    package let secrets: Secrets

    /// Random values. They are stored if the response may arrive in another process.
    package struct Secrets: Sendable, Equatable {
        package let verifier: String
        package let state: String
        package let nonce: String

        package init(verifier: String, state: String, nonce: String) {
            self.verifier = verifier
            self.state = state
            self.nonce = nonce
        }

        package init(random: any RandomSource) {
            self.init(
                verifier: Base64URL.encode(random.bytes(32)),
                state: Base64URL.encode(random.bytes(16)),
                nonce: Base64URL.encode(random.bytes(16)))
        }
    }

    /// - Parameter secrets: Those of a sign-in that is resumed; `nil` creates new ones.
    package init(client: OpenIDClient, directory: ProviderEndpoints, secrets: Secrets? = nil) {
        self.client = client
        self.directory = directory
        self.secrets = secrets ?? Secrets(random: client.random)
    }

    private var verifier: String { secrets.verifier }
    private var state: String { secrets.state }
    private var nonce: String { secrets.nonce }

    /// Returns the URL of the page to open.
    ///
    /// - Parameters:
    ///   - prompt: `login` if a signed-in person must authenticate again
    ///     (OpenID Connect Core 1.0 section 3.1.2.1).
    ///   - keyThumbprint: The key to which the code is bound (`dpop_jkt`, RFC 9449 section 10);
    ///     `nil` for none.
    ///   - options: Further parameters of the request, such as `login_hint`.
    package func address(
        scope: String, redirectURI: String, prompt: String? = nil, keyThumbprint: String? = nil,
        options: [(String, String)] = []
    ) -> String {
        var parameters = [
            ("response_type", "code"), ("client_id", client.clientID),
            ("redirect_uri", redirectURI), ("scope", scope), ("state", state), ("nonce", nonce),
            ("code_challenge", CodeChallenge.s256(of: verifier)),
            ("code_challenge_method", "S256"),
        ]
        if let prompt { parameters.append(("prompt", prompt)) }
        if let keyThumbprint { parameters.append(("dpop_jkt", keyThumbprint)) }
        parameters += options
        let separator = directory.authorization.contains("?") ? "&" : "?"
        return directory.authorization + separator
            + FormEncoding.encode(parameters.map { (name: $0.0, value: $0.1) })
    }

    /// Whether a response belongs to this sign-in; every local process can send one.
    package func isExpected(_ answer: [String: String]) -> Bool {
        guard let state = answer["state"],
            ConstantTime.equal(Array(state.utf8), Array(self.state.utf8))
        else { return false }
        // RFC 9207 section 2.4: the response of another issuer is refused.
        guard let issuer = answer["iss"] else { return !directory.namesIssuerInResponse }
        return issuer == directory.issuer
    }

    /// Returns the parameters for the token endpoint, and the expected `nonce` of the ID token.
    package func redemption(
        of answer: [String: String], redirectURI: String
    ) throws(UserClientError) -> (form: [(String, String)], nonce: String) {
        guard isExpected(answer) else {
            throw UserClientError.invalidAnswer("the redirect belongs to another sign-in")
        }
        if let code = answer["error"] {
            throw UserClientError.refused(code: code, description: answer["error_description"])
        }
        guard let code = answer["code"] else {
            throw UserClientError.invalidAnswer("the redirect carries no code")
        }
        let form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
            ("code_verifier", verifier),
        ]
        return (form, nonce)
    }

    /// Exchanges the response for tokens.
    package func finish(
        _ answer: [String: String], redirectURI: String
    ) async throws -> TokenSet {
        let (form, nonce) = try redemption(of: answer, redirectURI: redirectURI)
        return try await client.grant(directory, form, nonce: nonce)
    }

    /// Runs the whole sign-in: listens, displays the page to open, and waits for the response.
    ///
    /// - Parameter prompt: As in ``address(scope:redirectURI:prompt:keyThumbprint:)``.
    package func run(
        scope: String, prompt: String? = nil, open: @Sendable (_ address: String) async -> Void
    ) async throws -> TokenSet {
        let listener = try await LoopbackListener.start { [self] in isExpected($0) }
        await open(address(scope: scope, redirectURI: listener.redirectURI, prompt: prompt))
        let answer = await listener.answer()
        await listener.stop()
        guard let answer else { throw UserClientError.timedOut }
        return try await finish(answer.parameters, redirectURI: listener.redirectURI)
    }
}
