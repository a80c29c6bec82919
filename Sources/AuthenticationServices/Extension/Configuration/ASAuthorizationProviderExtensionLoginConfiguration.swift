// SPDX-License-Identifier: Apache-2.0
public import Foundation
package import PlatformSSO

/// The configuration of a provider that an extension passes to the system: its endpoints and the
/// form of requests. It is validated when the login manager saves it.
public final class ASAuthorizationProviderExtensionLoginConfiguration: NSObject, Sendable {
    /// The configuration, with texts that may turn out to be no predicates.
    struct Draft: Sendable {
        var value: LoginConfiguration
        var invalidCredentialPredicate: String?
        var federationPredicate: String?
    }

    let shared: SharedValue<Draft>

    /// - Parameter audience: `aud` of assertions and key requests; the token endpoint when absent.
    public convenience init(
        clientID: String, issuer: String, tokenEndpointURL: URL, jwksEndpointURL: URL,
        audience: String?
    ) {
        self.init(
            LoginConfiguration(
                clientID: clientID, issuer: issuer,
                tokenEndpointURL: tokenEndpointURL.absoluteString,
                jwksEndpointURL: jwksEndpointURL.absoluteString, audience: audience))
    }

    package init(_ configuration: LoginConfiguration) {
        shared = SharedValue(
            Draft(
                value: configuration,
                invalidCredentialPredicate: configuration.invalidCredentialPredicate?.text,
                federationPredicate: configuration.federationPredicate?.text))
    }

    /// The identifier of the client at the provider.
    public var clientID: String { shared.whole.value.clientID }

    /// The issuer of ID tokens.
    public var issuer: String { shared.whole.value.issuer }

    /// Returns the configuration to save.
    ///
    /// - Throws: ``ASAuthorizationError/Code/failed`` with the reason.
    package func checked() throws(ASAuthorizationError) -> LoginConfiguration {
        let draft = shared.whole
        var configuration = draft.value
        configuration.invalidCredentialPredicate = try Self.predicate(
            draft.invalidCredentialPredicate, "invalidCredentialPredicate")
        configuration.federationPredicate = try Self.predicate(
            draft.federationPredicate, "federationPredicate")
        guard configuration.loginRequestEncryptionAlgorithm == .ecdheA256GCM else {
            throw ASAuthorizationError(
                .failed, "Of the algorithms for passwords only ecdhe_A256GCM is spoken here.")
        }
        return configuration
    }

    private static func predicate(
        _ text: String?, _ name: String
    ) throws(ASAuthorizationError) -> ResponsePredicate? {
        guard let text else { return nil }
        do { return try ResponsePredicate(text) } catch {
            throw ASAuthorizationError(.failed, "\(name) is not a predicate: \(error).")
        }
    }

    // MARK: Between Foundation's types and ours

    /// Returns the URL of a text that was set from a URL.
    static func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/") }

    static func items(_ fields: [FormField]) -> [URLQueryItem] {
        fields.map { URLQueryItem(name: $0.name, value: $0.value) }
    }

    static func fields(_ items: [URLQueryItem]) -> [FormField] {
        items.map { FormField($0.name, $0.value ?? "") }
    }
}
