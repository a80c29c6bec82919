// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives

/// A sign-in with a security key without a browser: the authorization code flow with PKCE (RFC 6749
/// section 4.1, RFC 7636), in which this program is also the user agent.
///
/// It requests a code as any client does; the provider then requires a sign-in, which its WebAuthn
/// endpoints process. Decisions on a page, such as a consent, are not supported.
package struct SecurityKeySignIn: Sendable {
    private let client: OpenIDClient
    private let directory: ProviderEndpoints
    private let ceremonies: WebAuthnCeremonyClient
    /// No listener is required: the redirect is read and not followed. Providers accept any
    /// loopback port (RFC 8252 section 7.3).
    private static let redirectURI = "http://127.0.0.1:1/callback"
    /// The maximum number of consecutive redirects.
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
                    "it requires a decision on a page, which needs a browser; use gatehouse "
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

    /// Returns the pending authorization, if the URL is the provider's sign-in page.
    private static func signInRequest(_ address: String) -> String? {
        let parts = address.split(separator: "?", maxSplits: 1)
        guard parts.count == 2, parts[0].hasSuffix("/sign-in") else { return nil }
        let field = parts[1].split(separator: "&").first { $0.hasPrefix("continue=") }
        return field.flatMap { FormEncoding.decode($0.utf8.dropFirst(9)) }
    }
}
