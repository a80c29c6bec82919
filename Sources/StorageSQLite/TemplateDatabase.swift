// SPDX-License-Identifier: Apache-2.0
import Platform
import Storage
import StorageSQL

/// An empty database of the newest schema. Temporary stores are copies of it, because a copy takes one
/// millisecond and a migration forty. `GatehouseTesting` has them too, for the tests of apps.
///
/// The process has the file open and removes its folder at once, so that it leaves none.
package enum TemplateDatabase {
    private static let descriptor = Task { try await make() }

    private static func make() async throws -> Descriptor {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/template.sqlite"
        let engine = try SQLiteEngine.passing(path: path)
        _ = try await SQLStore(engine: engine, archives: SQLiteArchive()).maintenance.migrate()
        // Closing the last connection moves everything from the write-ahead log into the file.
        await engine.close()
        return try withExtendedLifetime(folder) { try OwnerOnlyFile.openToRead(path) }
    }

    /// Writes a copy to `path`, where no file may exist.
    package static func copy(to path: String) async throws {
        try OwnerOnlyFile.copy(try await descriptor.value, to: path)
    }
}
