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

/// The authentication method of a new person at the login window or in Setup Assistant.
package enum NewUserAuthenticationMethod: String, ProfileChoice {
    case password = "Password"
    case smartCard = "SmartCard"
    case accessKey = "AccessKey"
    case openID = "OpenID"

    package var since: SystemVersion? { self == .openID ? 27.0 : nil }
}

/// The authorization of an account after each sign-in.
package enum UserAuthorizationMode: String, ProfileChoice {
    case standard = "Standard"
    case admin = "Admin"
    case groups = "Groups"
}

/// The authorization of a new account.
package enum NewUserAuthorizationMode: String, ProfileChoice {
    case standard = "Standard"
    case admin = "Admin"
    case groups = "Groups"
    /// A session that is deleted at its end.
    case temporary = "Temporary"

    package var since: SystemVersion? { self == .temporary ? 26.0 : nil }
}

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
