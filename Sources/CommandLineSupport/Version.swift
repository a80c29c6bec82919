// SPDX-License-Identifier: Apache-2.0

/// The version of a release, in this one place. `/health/ready`, `--version` and `Scripts/dist` read it.
package enum Version {
    package static let text = "0.2.0"

    /// How it was built, for people who compare machines.
    package static var build: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }
}
