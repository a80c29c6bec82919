// SPDX-License-Identifier: Apache-2.0

/// The limit of a list that is read page by page, in the order of an index.
///
/// PostgreSQL plans a statement for its arguments, unless the plan for any arguments has a lower
/// estimate. It estimates a tenth of all rows for `LIMIT $1`, so in a large table it would plan each
/// search for its arguments, which costs more than the search, and in a small table it would not.
/// Here the innermost limit is a constant, so the plan for any arguments follows the index, and the
/// outer ones make its estimate the lowest. From the sixth execution on, a connection uses that plan.
struct PageLimit: Sendable {
    let dialect: SQLDialect
    let limit: Int

    /// Usual numbers of rows with the one that says whether there is a next page. A connection
    /// prepares a statement once for each of them.
    private static let sizes = [11, 51, 201]

    /// - Parameters:
    ///   - statement: without a limit.
    ///   - arguments: all of its arguments.
    func rows(
        _ statement: String, _ arguments: [SQLValue], _ connection: any SQLConnection
    ) throws -> [SQLRow] {
        try connection.query(
            text(of: statement, parameter: arguments.count + 1),
            arguments: arguments + [limit.sqlValue])
    }

    private func text(of statement: String, parameter: Int) -> String {
        let end = "LIMIT $\(parameter)"
        guard dialect == .postgreSQL else { return "\(statement) \(end)" }
        let size = Self.sizes.first { $0 >= limit } ?? limit
        return """
            SELECT * FROM (SELECT * FROM (\(statement) LIMIT \(size)) AS page \(end)) AS page \(end)
            """
    }
}

extension SQLCapability {
    /// Returns the first `limit` rows of the result as records.
    ///
    /// - Parameter statement: with an order and without a limit.
    func page<Record: Sendable>(
        _ make: @Sendable (inout SQLRow) throws -> Record, _ statement: String,
        _ arguments: any SQLStorable..., limit: Int
    ) async throws -> [Record] {
        let (page, values) = (PageLimit(dialect: dialect, limit: limit), arguments.map(\.sqlValue))
        return try await engine.read { try page.rows(statement, values, $0) }.records(make)
    }
}
