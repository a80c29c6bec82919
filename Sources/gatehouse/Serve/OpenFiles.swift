// SPDX-License-Identifier: Apache-2.0
import Logging
import Platform

/// The system's limit of open files and connections of this process.
enum OpenFiles {
    /// Descriptors for the database, files, mail and outgoing requests, in addition to connections.
    private static let reserve = 256

    /// Raises the limit as far as the system allows. Returns the number of connections that fit.
    static func room(for connections: Int, _ log: Logger) -> Int {
        let limit = CurrentProcess.raiseFileLimit(to: connections + reserve)
        guard limit < connections + reserve else { return connections }
        let room = max(limit - reserve, 16)
        log.warning(
            "the system's limit of open files is below what connections asks for; raise it (ulimit -n, LimitNOFILE=)",
            metadata: ["limit": "\(limit)", "connections": "\(room)"])
        return room
    }
}
