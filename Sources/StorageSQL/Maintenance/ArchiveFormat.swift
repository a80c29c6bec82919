// SPDX-License-Identifier: Apache-2.0

/// The file format of a backup.
///
/// A backup contains the schema of a store and all of its rows. It does not depend on the engine,
/// so it can also move a store from one engine to the other.
package protocol ArchiveFormat: Sendable {
    /// Creates a file at `path` (mode 0600) with the content of `body`. If this returns, the file
    /// is complete and durable; if this throws or the process is killed, no file, or the former
    /// one, has that name.
    ///
    /// - Parameter replacing: whether a file of that name is replaced. Otherwise this throws
    ///   `fileExists`.
    func create(
        at path: String, replacing: Bool, _ body: (any SQLConnection) throws -> Void
    ) throws

    /// Checks the file at `path`, and calls `body` with its content in the current schema. The file
    /// is not changed. Throws `invalidBackup` if it is not valid.
    func open(_ path: String, _ body: (any SQLConnection) throws -> Void) throws
}
