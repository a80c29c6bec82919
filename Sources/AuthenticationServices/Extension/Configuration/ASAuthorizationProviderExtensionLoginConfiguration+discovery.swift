// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
package import UserClient

// Found by the provider's metadata (OpenID Connect Discovery 1.0 section 4).
extension ASAuthorizationProviderExtensionLoginConfiguration {
    private static let path = "/.well-known/openid-configuration"
    /// In bytes.
    private static let maximumDocumentLength = 1_048_576

    /// Creates a configuration from the provider's metadata: its issuer, token endpoint and keys.
    ///
    /// - Parameters:
    ///   - openIDConfigurationURL: The URL before `/.well-known/openid-configuration`.
    ///   - clientID: The identifier of the client at the provider.
    ///   - issuer: The required issuer of ID tokens. If `nil`, the issuer of the metadata, which
    ///     must then equal the requested URL (section 4.3).
    ///   - completion: Called with a configuration, or an ``ASAuthorizationError``.
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
            throw ASAuthorizationError(.failed, "\(base) is not an https URL.")
        }
        let reply: WebResponse
        do {
            reply = try await web.answer(to: WebRequest(method: "GET", url: base + path))
        } catch {
            throw ASAuthorizationError(.failed, "\(base)\(path) cannot be read: \(error).")
        }
        guard reply.status == 200 else {
            throw ASAuthorizationError(
                .failed, "\(base)\(path) responds with status \(reply.status).")
        }
        return try configuration(reply.body, of: issuer ?? base, clientID: clientID)
    }

    /// Endpoints are as protected as the address that named them.
    private class func configuration(
        _ document: [UInt8], of issuer: String, clientID: String
    ) throws(ASAuthorizationError) -> ASAuthorizationProviderExtensionLoginConfiguration {
        guard
            let metadata = try? JSONParser.parseObject(
                document, maximumBytes: maximumDocumentLength)
        else {
            throw ASAuthorizationError(.failed, "The provider's metadata is not a JSON object.")
        }
        guard let named = metadata["issuer"]?.string, named.utf8.elementsEqual(issuer.utf8) else {
            throw ASAuthorizationError(.failed, "The metadata is that of another issuer.")
        }
        func endpoint(_ name: String) throws(ASAuthorizationError) -> String {
            guard let text = metadata[name]?.string, ProviderEndpoints.isProtected(text) else {
                throw ASAuthorizationError(.failed, "\(name) is not an https URL.")
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
