// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// A login response whose ID token a ``LoginResponseVerifier`` accepted.
package struct VerifiedLogin: Sendable {
    package let response: LoginResponse
    /// The claims of the ID token.
    package let claims: JSONObject
    /// `nil` if it does not identify a person.
    package let identity: LoginIdentity?
    /// The requested groups of which the person is a member.
    package let groups: [String]
    /// The complete tickets of `kerberosTicketMappings`.
    package let kerberosTickets: [KerberosTicket]

    /// The claim of `uniqueIdentifierClaimName`, `sub` by default.
    package var uniqueIdentifier: String? { identity?.identifier }

    /// The time of the person's last authentication by the provider (`auth_time`).
    package var authenticatedAt: Timestamp? { claims["auth_time"].flatMap(WireTime.read) }

    fileprivate init(
        response: LoginResponse, claims: JSONObject, identity: LoginIdentity?,
        groups: [String], kerberosTickets: [KerberosTicket]
    ) {
        self.response = response
        self.claims = claims
        self.identity = identity
        self.groups = groups
        self.kerberosTickets = kerberosTickets
    }
}

/// A device's verifier of a login response. Only this type creates a ``VerifiedLogin``.
package struct LoginResponseVerifier: Sendable {
    private let configuration: LoginConfiguration
    private let keys: ProviderKeys

    package init(configuration: LoginConfiguration, keys: ProviderKeys) {
        self.configuration = configuration
        self.keys = keys
    }

    /// - Parameters:
    ///   - nonce: The device's nonce of the request.
    ///   - groups: The requested groups.
    ///   - known: The required person; `nil` for the first login.
    package func verify(
        _ response: LoginResponse, nonce: String, groups: [String] = [],
        known: KnownLogin? = nil, now: Timestamp
    ) -> Result<VerifiedLogin, PlatformSSORefusal> {
        do throws(PlatformSSORefusal) {
            guard keys.verifiedRoots == configuration.jwksTrustedRootCertificates else {
                throw PlatformSSORefusal(
                    .keysNotTrusted, "the keys were not verified up to the configured roots")
            }
            var validator = IDTokenValidator(
                expectation: .init(
                    issuer: configuration.issuer, clientID: configuration.clientID, nonce: nonce),
                now: now, mode: .stopAtFirst)
            guard let claims = try validator.claims(of: response.idToken, keys.set) else {
                throw PlatformSSORefusal(.malformed, "the ID token is incomplete")
            }
            let identity = LoginIdentity(claims, configuration)
            try known?.check(claims, identity)
            return .success(verified(response, claims, identity, groups))
        } catch {
            return .failure(error)
        }
    }

    private func verified(
        _ response: LoginResponse, _ claims: JSONObject, _ identity: LoginIdentity?,
        _ requested: [String]
    ) -> VerifiedLogin {
        let answered = claims[configuration.groupResponseClaimName ?? "groups"]?.strings ?? []
        return VerifiedLogin(
            response: response, claims: claims, identity: identity,
            groups: GroupRequest.granted(answered, of: requested),
            kerberosTickets: configuration.kerberosTicketMappings.compactMap {
                KerberosTicket($0, in: response.more)
            })
    }
}
