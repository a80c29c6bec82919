// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
package import ProviderCore
import Storage

/// The Platform SSO endpoints of a project, and the audience of requests to them.
package struct PlatformSSOEndpointInfo: Sendable {
    package let issuer: String
    let policy: PlatformSSOPolicy

    package init(_ tenant: Tenant) {
        issuer = tenant.issuer
        policy = tenant.project.policy.platformSSO
    }

    package var isOpen: Bool { policy.enabled }

    package static let noncePath = "/platform-sso/nonce"
    package static let tokenPath = "/platform-sso/token"
    package static let refreshPath = "/platform-sso/refresh"
    package static let keyPath = "/platform-sso/key"
    package static let jwksPath = "/platform-sso/jwks"
    package static let devicesPath = "/platform-sso/devices"
    package static let endorsementPath = "/platform-sso/endorsement"
    package static let usersPath = "/platform-sso/users"
    package static let unregistrationPath = "/platform-sso/unregister"
    package static let webLoginPath = "/platform-sso/web-login"
    package static let federationPath = "/platform-sso/federation"
    package static let authorizePath = "/platform-sso/authorize"

    var devicesURL: String { issuer + Self.devicesPath }
    var usersURL: String { issuer + Self.usersPath }
    var unregistrationURL: String { issuer + Self.unregistrationPath }
    var authorizeURL: String { issuer + Self.authorizePath }
    var tokenURL: String { issuer + Self.tokenPath }
    /// The audience of SAML assertions.
    var federationAudience: String {
        policy.federation.audience.isEmpty ? issuer : policy.federation.audience
    }
    var audience: String { policy.audience.isEmpty ? policy.clientID : policy.audience }

    /// macOS sends requests without a separate URL to the token endpoint.
    var expectation: RequestVerifier.Expectation {
        var expectation = RequestVerifier.Expectation(
            clientID: policy.clientID,
            endpoints: [Self.tokenPath, Self.refreshPath, Self.keyPath].map { issuer + $0 },
            audience: audience)
        expectation.requiresEncryptedPassword = policy.encryptedPassword
        return expectation
    }

    func allows(_ method: DeviceUser.Method) -> Bool {
        policy.allowedMethods.contains(method.rawValue)
    }
}
