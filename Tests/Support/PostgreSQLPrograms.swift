// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The programs of Debian's PostgreSQL 15, run as the user that PostgreSQL requires.
package enum PostgreSQLPrograms {
    package static let folder = "/usr/lib/postgresql/15/bin"
    /// PostgreSQL refuses to run as root; Debian's package creates this user.
    private static let user = "postgres"

    /// Why they cannot run here; `nil` if they can.
    package static var unavailable: String? {
        for name in ["initdb", "postgres"]
        where !FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
            return "PostgreSQL 15 is not installed"
        }
        return nil
    }

    /// A new folder for a server, which belongs to its user.
    package static func makeFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "gatehouse-pg-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if getuid() == 0 { try run(["/bin/chown", user, folder]) }
        return folder
    }

    /// The command as the user of PostgreSQL.
    package static func asUser(_ command: [String]) -> [String] {
        guard getuid() == 0 else { return command }
        return ["/usr/bin/setpriv", "--reuid", user, "--regid", user, "--clear-groups"] + command
    }

    /// In the root folder: the server's user may not enter the one of the tests.
    package static func start(
        _ command: [String], log: URL = URL(filePath: "/dev/null"),
        environment: [String: String] = [:]
    ) throws -> ChildProcess {
        try ChildProcess(
            URL(filePath: "/usr/bin/env"), ["-C", "/"] + command, log: log,
            environment: environment)
    }

    package static func run(_ command: [String]) throws {
        let status = try start(command).wait()
        guard status == 0 else {
            throw ConformanceFailure(description: "\(command[0]) ended with \(status)")
        }
    }

    /// Sends the signal to a server and to each process that it has started.
    package static func signal(_ number: Int32, toServer server: Int32) {
        let list = "/proc/\(server)/task/\(server)/children"
        let text = (try? String(contentsOfFile: list, encoding: .utf8)) ?? ""
        let started = text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        for process in [server] + started { kill(process, number) }
    }

    /// Runs one statement.
    ///
    /// - Parameter server: `psql`'s options for host, port and user.
    package static func sql(
        _ statement: String, in database: String, server: [String]
    ) throws {
        try run(
            ["\(folder)/psql", "-q", "-d", database, "-v", "ON_ERROR_STOP=1", "-c", statement]
                + server)
    }
}
