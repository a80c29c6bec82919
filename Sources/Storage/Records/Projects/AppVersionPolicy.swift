// SPDX-License-Identifier: Apache-2.0

/// The accepted versions of an app (docs/registration.md, "Versions of apps and systems").
package struct AppVersionPolicy: StoredSettings, Equatable {
    /// The bundle identifier or package name that the app states.
    package var id = ""
    /// Older ones are refused; any version if empty.
    package var minimumVersion = ""
    /// The minimum version for registration; older versions can only sign in. Any version if empty.
    package var registrationVersion = ""
    package var blockedVersions: [String] = []
    /// The URL of a newer version, sent in refusals.
    package var updateURL = ""

    package init() {}
}
