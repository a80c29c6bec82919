// SPDX-License-Identifier: Apache-2.0

/// The limit of a page as part of a statement's text.
///
/// As a parameter, PostgreSQL assumes a tenth of the rows: in a large table it then plans the
/// statement anew for each execution, which can take longer than to execute it.
enum PageLimit {
    /// Usual numbers of rows with the one that says whether there is a next page. A connection
    /// prepares each statement once for each of them.
    private static let sizes = [11, 51, 201]

    /// Returns the clause for at least `limit` rows. The caller drops those after `limit`.
    static func clause(_ limit: Int) -> String {
        " LIMIT \(sizes.first { $0 >= limit } ?? limit)"
    }
}

extension SQLCapability {
    /// Returns the first `limit` rows of the result as records.
    ///
    /// - Parameter statement: without its limit.
    func page<Record: Sendable>(
        _ make: @Sendable (inout SQLRow) throws -> Record, _ statement: String,
        _ arguments: any SQLStorable..., limit: Int
    ) async throws -> [Record] {
        let (text, values) = (statement + PageLimit.clause(limit), arguments.map(\.sqlValue))
        let rows = try await engine.read { try $0.query(text, arguments: values) }
        return try Array(rows.prefix(limit)).records(make)
    }
}
