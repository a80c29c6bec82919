// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives

/// Signs a person in with a security key and without a browser: the authorization code flow with
/// PKCE (RFC 6749 section 4.1, RFC 7636), in which this program is the person's user agent too.
///
/// The provider is asked for the code as by any client; it answers by asking for a sign-in, which
/// its WebAuthn endpoints take. What only a person may decide on a page, such as a consent, is not
/// decided here.
package struct SecurityKeySignIn: Sendable {
    private let client: OpenIDClient
    private let directory: ProviderEndpoints
    private let ceremonies: WebAuthnCeremonyClient
    /// Nobody listens there: the redirect is read, not followed. Providers take any port of
    /// loopback (RFC 8252 section 7.3).
    private static let redirectURI = "http://127.0.0.1:1/callback"
    /// Redirects of one site in a row.
    private static let greatestSteps = 8

    package init(
        client: OpenIDClient, directory: ProviderEndpoints, ceremonies: WebAuthnCeremonyClient
    ) {
        self.client = client
        self.directory = directory
        self.ceremonies = ceremonies
    }

    package func run(scope: String) async throws -> TokenSet {
        let signIn = BrowserSignIn(client: client, directory: directory)
        var address = signIn.address(scope: scope, redirectURI: Self.redirectURI)
        for _ in 0..<Self.greatestSteps {
            if let answer = Self.callback(address) {
                return try await signIn.finish(answer, redirectURI: Self.redirectURI)
            }
            if let continuation = Self.signInRequest(address) {
                address = try await ceremonies.signIn(continuing: continuation)
                continue
            }
            let page = try await ceremonies.visitor.get(address)
            guard (300..<400).contains(page.status), let next = page.headers["location"] else {
                throw UserClientError.invalidAnswer(
                    "it wants an answer on a page that only a browser can show; use gatehouse "
                        + "login without --security-key")
            }
            address = next
        }
        throw UserClientError.invalidAnswer("it redirects without end")
    }

    private static func callback(_ address: String) -> [String: String]? {
        guard address.hasPrefix(redirectURI + "?") else { return nil }
        return CallbackQuery.read(target: "/callback" + address.dropFirst(redirectURI.count))
    }

    /// The authorization that waits, when the address is the provider's page for signing in.
    private static func signInRequest(_ address: String) -> String? {
        let parts = address.split(separator: "?", maxSplits: 1)
        guard parts.count == 2, parts[0].hasSuffix("/sign-in") else { return nil }
        let field = parts[1].split(separator: "&").first { $0.hasPrefix("continue=") }
        return field.flatMap { FormEncoding.decode($0.utf8.dropFirst(9)) }
    }
}
