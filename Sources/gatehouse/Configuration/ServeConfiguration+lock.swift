// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Platform

extension ServeConfiguration.Database {
    /// Locks an SQLite file for the process that serves from it or restores into it: data directories
    /// may differ. Returns `nil` for PostgreSQL, which processes share.
    ///
    /// - Throws: ``CommandError`` if another process has the lock.
    func lock() throws(CommandError) -> FileLock? {
        guard case .sqlite(let path) = self else { return nil }
        let file = "\(FileSystem.resolved(path) ?? path).lock"
        guard let lock = try Self.acquire(file) else {
            throw CommandError(
                "another gatehouse serves from \(path), or restores into it; stop it first",
                setting: "database")
        }
        return lock
    }

    private static func acquire(_ file: String) throws(CommandError) -> FileLock? {
        do throws(PlatformError) { return try FileLock.acquireIfFree(file) } catch {
            throw CommandError(
                "\(FileError("cannot be opened", file, code: error.code))", setting: "database")
        }
    }
}
