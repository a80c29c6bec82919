// SPDX-License-Identifier: Apache-2.0

/// The authorization of an account after each sign-in.
package enum UserAuthorizationMode: String, ProfileChoice {
    case standard = "Standard"
    case admin = "Admin"
    case groups = "Groups"
}
