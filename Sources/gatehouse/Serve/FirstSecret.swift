// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Logging

/// What lets the first person in: on a terminal it is read from the log, elsewhere logs are kept and collected,
/// so it is in a file of its owner's (0600) that the log names.
struct FirstSecret: Sendable {
    let directory: DataDirectory
    let log: Logger
    var isOnTerminal = LogOutput.isRead

    /// - Parameters:
    ///   - name: of the value in the log's line.
    ///   - file: in the data directory.
    func report(_ message: Logger.Message, _ name: String, _ secret: String, file: String) throws {
        guard !isOnTerminal else {
            log.notice(message, metadata: [name: "\(secret)"])
            return
        }
        let path = "\(directory.path)/\(file)"
        try SecretFile.replace(path, Array("\(secret)\n".utf8))
        log.notice(message, metadata: ["file": "\(path)"])
    }
}
