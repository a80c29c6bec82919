// SPDX-License-Identifier: Apache-2.0

/// The authentication method of a new person at the login window or in Setup Assistant.
package enum NewUserAuthenticationMethod: String, ProfileChoice {
    case password = "Password"
    case smartCard = "SmartCard"
    case accessKey = "AccessKey"
    case openID = "OpenID"

    package var since: SystemVersion? { self == .openID ? 27.0 : nil }
}
