// SPDX-License-Identifier: Apache-2.0

/// The authorization of a new account.
package enum NewUserAuthorizationMode: String, ProfileChoice {
    case standard = "Standard"
    case admin = "Admin"
    case groups = "Groups"
    /// A session that is deleted at its end.
    case temporary = "Temporary"

    package var since: SystemVersion? { self == .temporary ? 26.0 : nil }
}
