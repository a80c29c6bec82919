// SPDX-License-Identifier: Apache-2.0

/// What this is. `/health/ready` and `--version` say it.
package enum Version {
    package static let text = "0.1.0"

    /// How it was built, for people who compare machines.
    package static var build: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }
}
