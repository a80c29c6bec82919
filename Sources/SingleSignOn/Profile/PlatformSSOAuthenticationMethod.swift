// SPDX-License-Identifier: Apache-2.0

/// The authentication method of a person.
package enum PlatformSSOAuthenticationMethod: String, ProfileChoice {
    case password = "Password"
    case userSecureEnclaveKey = "UserSecureEnclaveKey"
    case smartCard = "SmartCard"
    /// A page of the provider.
    case openID = "OpenID"

    package var since: SystemVersion? { self == .openID ? 27.0 : nil }
}
