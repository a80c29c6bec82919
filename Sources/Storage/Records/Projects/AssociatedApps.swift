// SPDX-License-Identifier: Apache-2.0

/// The apps on Apple's systems that are associated with a project, by service. An identifier is a
/// team's prefix, a dot, and the app's bundle identifier.
package struct AssociatedApps: StoredSettings, Equatable {
    /// Apps that may use the credentials of the project.
    package var webCredentials: [String] = []
    /// Apps whose extension signs people in for the whole system (Platform SSO).
    package var authenticationServices: [String] = []

    package init() {}
}
