// SPDX-License-Identifier: Apache-2.0
import CPostgreSQL
import Platform
import Storage
import StorageSQL

/// One libpq connection with its prepared statements. Every call blocks, so it has a separate
/// thread (``PostgreSQLWorker``).
final class PostgreSQLConnection: SQLConnection {
    let url: String
    private(set) var handle: OpaquePointer?
    /// A command for every new connection.
    private let greeting: String
    let shared: Shared
    /// The generation of ``ConnectAttempts`` in which it was opened.
    private var generation = 0
    /// What the URL requires of the server.
    private var requirement = ServerRequirement.none
    private var prepared: [String: String] = [:]
    /// The number of issued statement names. A name is never reused: the server then refuses a
    /// pipeline with the name of a deallocated statement and does not run another one.
    private var namesGiven = 0
    /// The maximum number of prepared statements; more than all operations need.
    private static let capacity = 250

    /// What the connections of one engine know together.
    struct Shared: Sendable {
        let attempts = ConnectAttempts()
        let locked = LockedStatements()
        /// Milliseconds without a response after which the server is asked whether it responds.
        var patience: Int64 = 5_000
    }

    init(url: String, greeting: String, shared: Shared) {
        self.url = url
        self.greeting = greeting
        self.shared = shared
    }

    deinit { PQfinish(handle) }

    /// Whether the connection is open, as far as is known.
    var isAlive: Bool { PQstatus(handle) == CONNECTION_OK }

    /// Whether a transaction is open.
    var isInTransaction: Bool {
        let status = PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    /// Whether a transaction is open of which nothing has failed.
    var canCommit: Bool { PQtransactionStatus(handle) == PQTRANS_INTRANS }

    /// Whether the server no longer accepts changes although the URL requires it: it was the
    /// primary until a failover, or an administrator stopped the changes.
    var isReadOnly: Bool { requirement.isViolated(by: handle) }

    /// Connects, unless there is a connection of further use.
    func connect() throws {
        if isAlive, generation == shared.attempts.generation, !isReadOnly, !wasClosedByServer {
            return
        }
        disconnect()
        try shared.attempts.check()
        generation = shared.attempts.generation
        handle = open()
        guard isAlive else {
            let reason = message()
            disconnect()
            shared.attempts.failed(reason)
            throw StorageError(.unavailable, reason)
        }
        shared.attempts.succeeded()
        requirement = ServerRequirement(of: handle)
        // Notices would go to standard error, which is the log.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        try command(greeting)
    }

    private func open() -> OpaquePointer? {
        withParameters { PQconnectdbParams($0, $1, 1) }
    }

    /// The arguments of a new connection. Defaults precede the URL, which can override them: the
    /// connection timeout of each host in seconds, the timeouts for a silent server (milliseconds,
    /// seconds), and that of several hosts the one that accepts changes is used.
    func withParameters<R>(
        _ overriding: [(String, String)] = [],
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>
        ) -> R
    ) -> R {
        let settings =
            [
                ("connect_timeout", "3"), ("tcp_user_timeout", "15000"), ("keepalives_idle", "30"),
                ("application_name", "gatehouse"), ("target_session_attrs", "read-write"),
                ("dbname", url), ("client_encoding", "UTF8"),
            ] + overriding
        return withCStrings(settings.map(\.0)) { names in
            withCStrings(settings.map(\.1)) { values in
                let (names, values) = (
                    UnsafeMutableRawPointer(names), UnsafeMutableRawPointer(values)
                )
                return body(
                    names.assumingMemoryBound(to: UnsafePointer<CChar>?.self),
                    values.assumingMemoryBound(to: UnsafePointer<CChar>?.self))
            }
        }
    }

    func disconnect() {
        PQfinish(handle)
        handle = nil
        prepared = [:]
    }

    /// Outside a transaction, the statement waits for no lock but that of a table
    /// (``LockedStatements``).
    func query(_ statement: String, arguments: [SQLValue]) throws -> [SQLRow] {
        guard !isInTransaction else { return try rows(statement, arguments) }
        guard !shared.locked.refuses(statement) else {
            throw StorageError(.contention, "a table is locked")
        }
        do {
            let rows = try rows(statement, arguments)
            shared.locked.succeeded(statement)
            return rows
        } catch let error as PostgreSQLError where error.isLockTimeout {
            shared.locked.timedOut(statement)
            throw error
        }
    }

    private func rows(_ statement: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        try execute(statement, arguments) { try PostgreSQLResult($0).rows() }
    }

    func apply(_ statement: String, arguments: [SQLValue]) throws -> SQLChange {
        try execute(statement, arguments) { result in
            SQLChange(
                rows: try PostgreSQLResult(result).rows(),
                count: PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0)
        }
    }

    func define(_ statement: String) throws { try execute(statement, []) { _ in } }

    private func execute<Answer>(
        _ statement: String, _ arguments: [SQLValue],
        _ read: (OpaquePointer?) throws -> Answer
    ) throws -> Answer {
        let name = try prepare(statement)
        let result = PostgreSQLParameters(arguments).withPointers { values, lengths, formats in
            PQsendQueryPrepared(
                handle, name, Int32(arguments.count), values, lengths, formats, 1)
            return lastResult()
        }
        defer { PQclear(result) }
        try check(result)
        return try read(result)
    }

    /// Runs a command without parameters or result, such as `BEGIN`.
    func command(_ text: String) throws {
        PQsendQuery(handle, text)
        let result = lastResult()
        defer { PQclear(result) }
        try check(result)
    }

    /// The server's name of the statement, which it has parsed once for this connection.
    func prepare(_ statement: String) throws -> String {
        if let name = prepared[statement] { return name }
        if prepared.count >= Self.capacity {
            try command("DEALLOCATE ALL")
            prepared = [:]
        }
        let name = "s\(namesGiven)"
        namesGiven += 1
        PQsendPrepare(handle, name, statement, 0, nil)
        let result = lastResult()
        defer { PQclear(result) }
        try check(result)
        prepared[statement] = name
        return name
    }

    private func check(_ result: OpaquePointer?) throws {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return
        default: throw error(of: result)
        }
    }

    func error(of result: OpaquePointer?) -> PostgreSQLError {
        let state = PQresultErrorField(result, PostgreSQLError.sqlStateField)
            .map { String(cString: $0) }
        return PostgreSQLError(state: state, reason: message(), connectionLost: !isAlive)
    }

    /// An idle connection whose server has gone has an end of file to read, after a last message.
    private var wasClosedByServer: Bool {
        let socket = Descriptor(rawValue: PQsocket(handle))
        while let events = try? socket.wait(for: .readable, milliseconds: 0), !events.isEmpty {
            if PQconsumeInput(handle) == 0 || !isAlive { return true }
        }
        return false
    }

    private func message() -> String {
        guard let handle, let text = PQerrorMessage(handle) else {
            return "the server does not respond"
        }
        return String(cString: text).split(separator: "\n").joined(separator: "; ")
    }
}
