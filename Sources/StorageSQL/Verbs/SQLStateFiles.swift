// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let stateFiles = """
    SELECT path, host, digest, applied_at FROM state_files WHERE path = $1
    ORDER BY position DESC LIMIT 100
    """
private let stateFilePosition = "SELECT max(position) FROM state_files WHERE path = $1"
private let stateFileInsert = """
    INSERT INTO state_files (path, host, digest, applied_at, position) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (path, host, digest) DO UPDATE SET position = excluded.position,
    applied_at = excluded.applied_at
    """
private let stateFilesDelete = "DELETE FROM state_files WHERE path = $1 AND position <= $2"

/// The versions of state files that processes have applied.
struct SQLStateFiles: StateFileStore, SQLCapability {
    let database: SQLDatabase

    func appliedVersions(of path: String) async throws -> [AppliedStateFile] {
        try await all(
            { row in
                AppliedStateFile(
                    path: try row.text(), host: try row.text(), digest: try row.bytes(),
                    appliedAt: try row.time())
            }, stateFiles, path)
    }

    func record(_ version: AppliedStateFile) async throws {
        try await engine.write { connection in
            let last = try connection.query(stateFilePosition, version.path).firstRecord {
                try $0.optionalInteger()
            }
            let position = ((last ?? nil) ?? 0) + 1
            _ = try connection.change(
                stateFileInsert, version.path, version.host, version.digest, version.appliedAt,
                position)
            _ = try connection.change(stateFilesDelete, version.path, position - 100)
        }
    }
}
