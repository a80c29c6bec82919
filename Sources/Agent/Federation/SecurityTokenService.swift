// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
import SAML
import SingleSignOn
import UserClient

/// The service of a federation that issues a SAML assertion for the provider in return for a
/// username and a password (Apple "Performing a WS-Trust login request"; WS-Trust 1.3 section 4).
///
/// The provider verifies the assertion. Only the response is validated here: it must be for this
/// request, in time, for this realm, and contain one assertion.
struct SecurityTokenService: Sendable {
    let endpoint: MetadataExchange
    /// `federationRequestURN`: the recipient of assertions.
    let realm: String
    let exchange: ProviderExchange

    /// - Throws: `wrongCredential` when the service does not know that name and password.
    func token(
        for user: UserLoginConfiguration, password: Secret
    ) async throws(ProviderError) -> SecurityTokenResponse {
        let request = SecurityTokenRequest(
            to: endpoint, appliesTo: realm, username: user.loginUserName, password: password,
            random: AnyRandomSource(exchange.random))
        let now = exchange.clock.now
        let reply = try await exchange.post(
            endpoint.endpoint, envelope: request.envelope(now: now),
            mediaType: request.mediaType, action: request.action)
        // The password is not sent to the target of a redirect, which the configuration does not
        // name.
        guard !(300..<400).contains(reply.status) else {
            throw .notTrusted("the token service sends the password elsewhere")
        }
        do throws(SAMLRefusal) {
            let response = try SecurityTokenResponse(
                envelope: reply.body, to: request.messageID, appliesTo: realm,
                now: exchange.clock.now)
            guard reply.status == 200 else { throw SAMLRefusal(.faulted, "status \(reply.status)") }
            return response
        } catch { throw Self.failure(error, reply) }
    }

    /// Services answer faults with 400 or 500 (SOAP 1.2 part 2, section 7.5.2.2).
    private static func failure(_ refusal: SAMLRefusal, _ reply: WebResponse) -> ProviderError {
        switch refusal.code {
        case .authenticationFailed: .wrongCredential(refusal.reason)
        case .faulted: .later("the token service: \(refusal.reason)")
        default:
            reply.status == 200
                ? .notTrusted("the token service: \(refusal)")
                : .later("the token service: status \(reply.status)")
        }
    }

    static func isSameHost(_ one: String, _ other: String) -> Bool {
        guard let one = try? HTTPAddress(one), let other = try? HTTPAddress(other) else {
            return false
        }
        return one.origin.host == other.origin.host && other.origin.isSecure
    }
}
