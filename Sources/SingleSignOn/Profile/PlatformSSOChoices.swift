// SPDX-License-Identifier: Apache-2.0

/// How a person proves who they are.
package enum PlatformSSOAuthenticationMethod: String, ProfileChoice {
    case password = "Password"
    case userSecureEnclaveKey = "UserSecureEnclaveKey"
    case smartCard = "SmartCard"
    /// On a page of the provider.
    case openID = "OpenID"

    package var since: SystemVersion? { self == .openID ? 27.0 : nil }
}

/// How a new person may prove it at the login window or in Setup Assistant.
package enum NewUserAuthenticationMethod: String, ProfileChoice {
    case password = "Password"
    case smartCard = "SmartCard"
    case accessKey = "AccessKey"
    case openID = "OpenID"

    package var since: SystemVersion? { self == .openID ? 27.0 : nil }
}

/// What an account may do after each sign-in.
package enum UserAuthorizationMode: String, ProfileChoice {
    case standard = "Standard"
    case admin = "Admin"
    case groups = "Groups"
}

/// What a new account may do.
package enum NewUserAuthorizationMode: String, ProfileChoice {
    case standard = "Standard"
    case admin = "Admin"
    case groups = "Groups"
    /// A session that leaves nothing behind.
    case temporary = "Temporary"

    package var since: SystemVersion? { self == .temporary ? 26.0 : nil }
}

/// What FileVault, the login window and the lock screen ask for.
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

    /// Apple, "Configuring Platform Single Sign-on": what each method leaves of the policies.
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

    /// The words that FileVault and the login window know.
    static var withoutUnlock: KeyForm {
        .list(
            .choice(
                allCases.filter { $0 != .allowTouchIDOrWatchForUnlock }
                    .map { KeyForm.Choice($0.rawValue, since: $0.since) }))
    }
}
