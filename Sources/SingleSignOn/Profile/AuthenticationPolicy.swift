// SPDX-License-Identifier: Apache-2.0

/// The requirements of FileVault, the login window and the lock screen.
package enum AuthenticationPolicy: String, ProfileChoice {
    case attemptAuthentication = "AttemptAuthentication"
    case requireAuthentication = "RequireAuthentication"
    case allowOfflineGracePeriod = "AllowOfflineGracePeriod"
    case allowAuthenticationGracePeriod = "AllowAuthenticationGracePeriod"
    /// At the lock screen only.
    case allowTouchIDOrWatchForUnlock = "AllowTouchIDOrWatchForUnlock"
    case requireTouchID = "RequireTouchID"
    case requireTouchIDOrWatch = "RequireTouchIDOrWatch"
    case allowOpenIDForTouchIDFallback = "AllowOpenIDForTouchIDFallback"

    package var since: SystemVersion? {
        switch self {
        case .requireTouchID, .requireTouchIDOrWatch, .allowOpenIDForTouchIDFallback: 27.0
        default: nil
        }
    }

    /// Whether the policy has an effect for a method (Apple, "Configuring Platform Single
    /// Sign-on").
    package func applies(to method: PlatformSSOAuthenticationMethod) -> Bool {
        switch (method, self) {
        case (.password, _), (.openID, .allowOfflineGracePeriod),
            (.userSecureEnclaveKey, .allowOfflineGracePeriod),
            (.userSecureEnclaveKey, .requireTouchID),
            (.userSecureEnclaveKey, .requireTouchIDOrWatch),
            (.userSecureEnclaveKey, .allowOpenIDForTouchIDFallback):
            true
        default: false
        }
    }

    /// The values for FileVault and the login window.
    static var withoutUnlock: KeyForm {
        .list(
            .choice(
                allCases.filter { $0 != .allowTouchIDOrWatchForUnlock }
                    .map { KeyForm.Choice($0.rawValue, since: $0.since) }))
    }
}
