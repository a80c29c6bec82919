// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Primitives
import Synchronization

/// A PostgreSQL server of the tests' own, in a temporary folder, reached by a socket in it. It
/// listens on no network. Stopped, and its folder removed, when the process ends or on ``stop()``.
package final class PostgreSQLServer: Sendable {
    /// Why there can be no server here, or `nil` when there can.
    package static var unavailable: String? { PostgreSQLPrograms.unavailable }

    private static let running = Mutex<PostgreSQLServer?>(nil)

    /// The server that all tests of this process share; each makes its own database.
    package static func shared() throws -> PostgreSQLServer {
        try running.withLock { server in
            if let server { return server }
            let made = try PostgreSQLServer()
            server = made
            atexit { PostgreSQLServer.running.withLock { $0?.stop() } }
            return made
        }
    }

    private let folder: String
    private let process: Mutex<ChildProcess>
    private let count = Mutex(0)

    package init() throws {
        folder = try PostgreSQLPrograms.makeFolder()
        try PostgreSQLPrograms.run(
            PostgreSQLPrograms.asUser([
                "\(PostgreSQLPrograms.folder)/initdb", "-D", "\(folder)/data", "-A", "trust",
                "-U", "gatehouse", "--no-instructions", "-E", "UTF8", "--locale=C.UTF-8",
            ]))
        process = Mutex(try Self.serve(folder))
        try waitUntilReady()
    }

    private static func serve(_ folder: String) throws -> ChildProcess {
        try PostgreSQLPrograms.start(
            PostgreSQLPrograms.asUser([
                "\(PostgreSQLPrograms.folder)/postgres", "-D", "\(folder)/data", "-k", folder,
                "-c", "listen_addresses=", "-c", "max_connections=100", "-c", "fsync=on",
                "-c", "deadlock_timeout=50ms",
            ]))
    }

    /// Ends the server as an operator does, its connections too. The data stay.
    package func shutDown() {
        process.withLock { process in
            process.signal(SIGINT)
            _ = process.wait()
        }
    }

    /// Stops all processes of the server as they are. The kernel still accepts connections and
    /// data for them.
    package func freeze() {
        process.withLock { PostgreSQLPrograms.signal(SIGSTOP, toServer: $0.pid) }
    }

    /// Lets them continue after ``freeze()``.
    package func thaw() {
        process.withLock { PostgreSQLPrograms.signal(SIGCONT, toServer: $0.pid) }
    }

    /// Starts the server again, with its data.
    package func startAgain() throws {
        let next = try Self.serve(folder)
        process.withLock { $0 = next }
        try waitUntilReady()
    }

    /// The connection URI of a new, empty database.
    package func makeDatabase() throws -> Secret {
        let number = count.withLock {
            $0 += 1
            return $0
        }
        try sql("CREATE DATABASE test\(number)", in: "postgres")
        return url(of: "test\(number)")
    }

    package func url(of database: String) -> Secret {
        let host = folder.replacingOccurrences(of: "/", with: "%2F")
        return Secret("postgres://gatehouse@\(host)/\(database)")
    }

    /// Runs one statement with `psql`.
    package func sql(_ statement: String, in database: String) throws {
        try PostgreSQLPrograms.sql(
            statement, in: database, server: ["-h", folder, "-U", "gatehouse"])
    }

    /// Immediate: the data is thrown away.
    package func stop() {
        shutDown()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func waitUntilReady() throws {
        for _ in 0..<200 {
            if (try? sql("SELECT 1", in: "postgres")) != nil { return }
            guard process.withLock({ $0.isRunning }) else { break }
            usleep(50_000)
        }
        throw ConformanceFailure(description: "PostgreSQL did not start in \(folder)")
    }
}
