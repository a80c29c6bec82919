// SPDX-License-Identifier: Apache-2.0

/// The version of a release, or of the next one with `-dev`, in this one place. `/health/ready`, `--version` and `Scripts/dist` read it.
package enum Version {
    package static let text = "0.3.0-dev"

    /// How it was built, for people who compare machines.
    package static var build: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }
}
