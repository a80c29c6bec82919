// SPDX-License-Identifier: Apache-2.0
import SingleSignOn

/// The authentication method of a person.
public enum ASAuthorizationProviderExtensionAuthenticationMethod: Int, Sendable {
    /// With a password.
    case password = 1
    /// With a key of their own on this device.
    case userSecureEnclaveKey = 2
    /// With a card.
    case smartCard = 3
    /// On a page of the provider (macOS 27). Apple has not published its number; this one is ours.
    case openID = 4

    init(_ method: PlatformSSOAuthenticationMethod) {
        self =
            switch method {
            case .password: .password
            case .userSecureEnclaveKey: .userSecureEnclaveKey
            case .smartCard: .smartCard
            case .openID: .openID
            }
    }
}
