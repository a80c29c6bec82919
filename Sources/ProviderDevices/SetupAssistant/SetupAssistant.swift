// SPDX-License-Identifier: Apache-2.0
import JOSE
package import ProviderCore
import ProviderTokens
import Storage

/// The provider's part in the setup of a Mac (Apple "Implementing Platform SSO during Automated
/// Device Enrollment"): the response of the device management server, and the profile that this
/// response names. ``SetupAssistantSignIn`` is the sign-in that it names.
///
/// The provider is not a device management server. Such a server requests the response here and
/// forwards it.
package struct SetupAssistant: Sendable {
    private let tenant: Tenant

    package static let requirementPath = "/platform-sso/setup"
    package static let profilePath = "/platform-sso/setup/profile"
    package static let signInPath = "/platform-sso/setup/sign-in"
    package static let callbackPath = PlatformSSOClient.setupCallbackPath

    package static let profileType = "application/x-apple-aspen-config"

    package init(_ tenant: Tenant) { self.tenant = tenant }

    package var isOffered: Bool {
        PlatformSSOEndpointInfo(tenant).isOpen
            && tenant.project.policy.platformSSO.setupAssistant.isOffered
    }

    /// The body of the 403 with which the server requires Platform SSO for an enrollment, spelled
    /// as in Apple's sample.
    package var requirement: [UInt8] {
        let policy = tenant.project.policy.platformSSO.setupAssistant
        var package = JSONObject([.init(name: "ManifestURL", value: .string(policy.manifestURL))])
        if !policy.pinnedCertificates.isEmpty {
            package["PinningCerts"] = .array(policy.pinnedCertificates.map(JSONValue.string))
        }
        if policy.checksRevocation { package["PinningRevocationCheckRequired"] = true }
        let details: JSONValue = [
            "ProfileURL": .string(tenant.issuer + Self.profilePath),
            "Package": .object(package),
            "AuthURL": .string(tenant.issuer + Self.signInPath),
        ]
        let answer: JSONValue = ["code": "com.apple.psso.required", "details": details]
        return answer.bytes
    }

    /// Returns `nil` if no profile can be built: the issuer may have changed since the settings
    /// were validated.
    package func profile() -> [UInt8]? { try? DeviceProfile(tenant).mobileconfig() }
}
