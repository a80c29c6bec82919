// SPDX-License-Identifier: Apache-2.0
import StorageSQL

/// An empty database of the newest schema. Temporary stores are copies of it, because a copy takes one
/// millisecond and a migration forty.
package final class TemplateDatabase: Sendable {
    private static let shared = Task { try await TemplateDatabase() }

    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/template.sqlite" }

    private init() async throws {
        folder = try TemporaryFolder()
        let engine = try SQLiteEngine.passing(path: "\(folder.path)/template.sqlite")
        _ = try await SQLStore(engine: engine, archives: SQLiteArchive()).migrate()
        // Closing the last connection moves everything from the write-ahead log into the file.
        await engine.close()
    }

    /// Writes a copy to `path`, where no file may exist.
    package static func copy(to path: String) async throws {
        try OwnerOnlyFile.copy(try await shared.value.path, to: path)
    }
}
