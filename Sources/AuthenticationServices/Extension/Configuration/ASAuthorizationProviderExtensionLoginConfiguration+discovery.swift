// SPDX-License-Identifier: Apache-2.0
public import Foundation
import JOSE
import PlatformSSO
package import UserClient

// Found by the provider's metadata (OpenID Connect Discovery 1.0 section 4).
extension ASAuthorizationProviderExtensionLoginConfiguration {
    private static let path = "/.well-known/openid-configuration"
    /// In bytes.
    private static let longestDocument = 1_048_576

    /// Makes a configuration of what the provider says of itself: its issuer, token endpoint and keys.
    ///
    /// - Parameters:
    ///   - openIDConfigurationURL: the address before `/.well-known/openid-configuration`.
    ///   - clientID: the identifier of the client at the provider.
    ///   - issuer: who must issue ID tokens; the issuer that the provider names when `nil`, which must
    ///     then be the address that was asked (section 4.3).
    ///   - completion: with a configuration, or an ``ASAuthorizationError``.
    public class func configuration(
        openIDConfigurationURL: URL, clientID: String, issuer: String?,
        completion:
            @escaping @Sendable (
                ASAuthorizationProviderExtensionLoginConfiguration?, (any Error)?
            ) -> Void
    ) {
        Task {
            do {
                completion(
                    try await configuration(
                        openIDConfigurationURL: openIDConfigurationURL, clientID: clientID,
                        issuer: issuer), nil)
            } catch {
                completion(nil, error)
            }
        }
    }

    /// As ``configuration(openIDConfigurationURL:clientID:issuer:completion:)``.
    public class func configuration(
        openIDConfigurationURL: URL, clientID: String, issuer: String?
    ) async throws -> ASAuthorizationProviderExtensionLoginConfiguration {
        try await configuration(
            openIDConfigurationURL: openIDConfigurationURL, clientID: clientID, issuer: issuer,
            web: WebClient())
    }

    /// - Parameter web: brings the document.
    package class func configuration(
        openIDConfigurationURL: URL, clientID: String, issuer: String?, web: any WebTransport
    ) async throws -> ASAuthorizationProviderExtensionLoginConfiguration {
        let base = address(openIDConfigurationURL)
        guard ProviderEndpoints.isProtected(base) else {
            throw ASAuthorizationError(.failed, "\(base) is no https address.")
        }
        let reply: WebResponse
        do {
            reply = try await web.answer(to: WebRequest(method: "GET", url: base + path))
        } catch {
            throw ASAuthorizationError(.failed, "\(base)\(path) cannot be read: \(error).")
        }
        guard reply.status == 200 else {
            throw ASAuthorizationError(
                .failed, "\(base)\(path) answers with status \(reply.status).")
        }
        return try configuration(reply.body, of: issuer ?? base, clientID: clientID)
    }

    /// Endpoints are as protected as the address that named them.
    private class func configuration(
        _ document: [UInt8], of issuer: String, clientID: String
    ) throws(ASAuthorizationError) -> ASAuthorizationProviderExtensionLoginConfiguration {
        guard
            let metadata = try? JSONParser.parseObject(document, maximumBytes: longestDocument)
        else { throw ASAuthorizationError(.failed, "The provider's metadata is no JSON object.") }
        guard let named = metadata["issuer"]?.string, named.utf8.elementsEqual(issuer.utf8) else {
            throw ASAuthorizationError(.failed, "The metadata is that of another issuer.")
        }
        func endpoint(_ name: String) throws(ASAuthorizationError) -> String {
            guard let text = metadata[name]?.string, ProviderEndpoints.isProtected(text) else {
                throw ASAuthorizationError(.failed, "\(name) is no https address.")
            }
            return text
        }
        return ASAuthorizationProviderExtensionLoginConfiguration(
            LoginConfiguration(
                clientID: clientID, issuer: named,
                tokenEndpointURL: try endpoint("token_endpoint"),
                jwksEndpointURL: try endpoint("jwks_uri")))
    }

    /// Without the slash at its end.
    private class func address(_ url: URL) -> String {
        let text = url.absoluteString
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
