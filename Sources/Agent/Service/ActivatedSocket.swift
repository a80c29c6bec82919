// SPDX-License-Identifier: Apache-2.0

/// A listening socket that a service manager has opened and passed on: `sd_listen_fds(3)`.
package enum ActivatedSocket {
    /// The first of them.
    ///
    /// - Parameter process: This process, which `LISTEN_PID` has to name.
    package static func descriptor(
        _ environment: [String: String], process: Int32
    ) -> Int32? {
        guard environment["LISTEN_PID"] == String(process),
            let count = environment["LISTEN_FDS"].flatMap({ Int($0) }), count == 1
        else { return nil }
        return 3
    }
}
