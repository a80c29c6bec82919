// SPDX-License-Identifier: Apache-2.0
import CPostgreSQL
import Storage
import StorageSQL

/// A change of a pipeline failed, and so nothing of the pipeline happened.
struct PipelineError: Error {
    /// Which.
    let index: Int
}

extension PostgreSQLConnection {
    /// What the refused statements of a pipeline say about the connection.
    private struct Refusals {
        private(set) var needNewConnection = false

        mutating func add(_ error: PostgreSQLError) {
            if error.needsNewConnection { needNewConnection = true }
        }
    }

    /// Runs all changes in one transaction and one round trip: libpq's pipeline mode, in which
    /// everything up to the synchronisation point is one implicit transaction (PostgreSQL
    /// documentation, section 55.2.4).
    ///
    /// - Returns: The result of each change, after the commit.
    /// - Throws: ``PipelineError`` if the server refused one of them; `unavailable` if there is
    ///   no connection; `outcomeUnknown` if it was lost before the commit was confirmed.
    func pipeline(_ changes: [PendingChange]) throws -> [Result<[SQLRow], any Error>] {
        try connect()
        let names = try changes.enumerated().map { index, change in
            do {
                return try prepare(change.statement)
            } catch let error as PostgreSQLError {
                guard isAlive else { throw lost }
                if error.needsNewConnection { disconnect() }
                throw PipelineError(index: index)
            }
        }
        guard PQenterPipelineMode(handle) == 1 else { throw lost }
        for (name, change) in zip(names, changes) {
            for arguments in change.sets { send(name, arguments) }
        }
        PQpipelineSync(handle)
        let answers = try collect(changes)
        guard PQexitPipelineMode(handle) == 1 else {
            // The transaction is committed; only this connection is unusable.
            disconnect()
            return answers
        }
        return answers
    }

    /// Sends a statement. A sending error is reported by the result.
    private func send(_ name: String, _ arguments: [SQLValue]) {
        _ = PostgreSQLParameters(arguments).withPointers { values, lengths, formats in
            PQsendQueryPrepared(handle, name, Int32(arguments.count), values, lengths, formats, 1)
        }
    }

    private func collect(_ changes: [PendingChange]) throws -> [Result<[SQLRow], any Error>] {
        var refused: Int?
        var refusals = Refusals()
        var answers: [Result<[SQLRow], any Error>] = []
        for (index, change) in changes.enumerated() {
            var answer: Result<[SQLRow], any Error> = .success([])
            for _ in change.sets {
                guard let rows = try nextAnswer(&refusals) else {
                    refused = refused ?? index
                    continue
                }
                answer = rows
            }
            answers.append(answer)
        }
        let isCommitted = try reachesSync()
        if refused != nil || !isCommitted {
            _ = PQexitPipelineMode(handle)
            if refusals.needNewConnection { disconnect() }
            throw PipelineError(index: refused ?? 0)
        }
        return answers
    }

    /// Returns the result of one statement; `nil` if it or an earlier one was refused.
    private func nextAnswer(
        _ refusals: inout Refusals
    ) throws -> Result<[SQLRow], any Error>? {
        var answer: Result<[SQLRow], any Error>?
        let result = nextResult()
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
            answer = Result { try PostgreSQLResult(result).rows() }
        case PGRES_FATAL_ERROR: refusals.add(error(of: result))
        default: break
        }
        PQclear(result)
        // The end of each statement's results is marked by none.
        while let more = nextResult() { PQclear(more) }
        guard isAlive else { throw lost }
        return answer
    }

    /// Whether the commit at the synchronisation point succeeded.
    private func reachesSync() throws -> Bool {
        var isCommitted = true
        while isAlive {
            let result = nextResult()
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC: return isCommitted
            default:
                // No result at all: the synchronisation point was never sent.
                if result == nil { throw lost }
                isCommitted = false
            }
        }
        throw lost
    }

    /// The server may have committed before it fell silent.
    private var lost: StorageError {
        defer { disconnect() }
        return StorageError(.outcomeUnknown, "the connection was lost")
    }
}
