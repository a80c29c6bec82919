// SPDX-License-Identifier: Apache-2.0
import Storage
import StoragePostgreSQL
import StorageSQL

extension PostgreSQLEngine {
    /// The pages of indexes that were read until now. The engine must have one connection: the
    /// counts of others arrive later.
    func pages(of indexes: String...) async throws -> Int64 {
        var sum: Int64 = 0
        _ = try await query("SELECT 1 FROM pg_stat_force_next_flush()")
        for index in indexes {
            let rows = try await query(
                """
                SELECT idx_blks_hit + idx_blks_read FROM pg_statio_user_indexes
                WHERE indexrelname = $1
                """, index)
            guard case .integer(let pages)? = rows.first?.values.first else {
                throw StorageError(.engine, "no index \(index) is counted")
            }
            sum += pages
        }
        return sum
    }
}
