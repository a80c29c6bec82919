// SPDX-License-Identifier: Apache-2.0
import Logging
import Platform

/// How many files and connections the system lets this process hold.
enum OpenFiles {
    /// What the database, files, mail and questions to others need beside connections.
    private static let reserve = 256

    /// Raises the limit as far as the system lets us; how many connections it has room for.
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
