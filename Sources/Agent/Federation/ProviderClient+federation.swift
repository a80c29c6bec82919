// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
import SAML
import UserClient

/// Passwords that are for a federation's token service (Apple "Performing a preauthentication request",
/// "Performing a WS-Trust MEX request").
extension ProviderClient {
    /// What a login with that password brings the provider: the password, or what the token service gave
    /// for it.
    func credential(
        for user: UserLoginConfiguration, password: Secret
    ) async throws(ProviderError) -> LoginCredential {
        guard let description = try await tokenServiceDescription(for: user) else {
            return .password(password)
        }
        let token = try await tokenService(described: description)
            .token(for: user, password: password)
        return .saml(token.version == .v2 ? .v2 : .v11, assertion: token.assertion)
    }

    /// Returns the URL at which the service for that person's password describes itself; `nil` if
    /// the provider takes the password.
    ///
    /// - Throws: An error also if that cannot be determined: the password is then not sent.
    private func tokenServiceDescription(
        for user: UserLoginConfiguration
    ) async throws(ProviderError) -> String? {
        switch configuration.federationType {
        case .none: return nil
        case .wsTrust: return configuration.federationMEXURL
        case .dynamicWSTrust:
            let answer = try await preauthentication(user)
            return try Self.trusted { () throws(PlatformSSORefusal) in
                try configuration.federationMetadataURL(preauthentication: answer)
            }
        case .openID, .dynamicOpenID: throw .later("people sign in on a page here")
        }
    }

    /// Reads the description. The service must be at the host of the description, as a description
    /// decides where a password is sent.
    private func tokenService(
        described url: String
    ) async throws(ProviderError) -> SecurityTokenService {
        let reply = try await exchange.get(url, accept: "text/xml, application/xml")
        guard reply.status == 200 else { throw ProviderExchange.later(reply) }
        let description: MetadataExchange
        do throws(SAMLRefusal) {
            description = try MetadataExchange(description: reply.body)
        } catch { throw .notTrusted("the description of the token service: \(error)") }
        guard SecurityTokenService.isSameHost(url, description.endpoint) else {
            throw .notTrusted("the token service is at another host than its description")
        }
        return SecurityTokenService(
            endpoint: description, realm: configuration.federationRequestURN ?? "",
            exchange: exchange)
    }
}
