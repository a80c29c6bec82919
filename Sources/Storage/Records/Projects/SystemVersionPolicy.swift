// SPDX-License-Identifier: Apache-2.0

/// The accepted versions of a system.
package struct SystemVersionPolicy: StoredSettings, Equatable {
    /// In lower case: `android`, `ios` …
    package var name = ""
    /// Older ones are refused; any version if empty.
    package var minimumVersion = ""
    package var blockedVersions: [String] = []

    package init() {}
}
