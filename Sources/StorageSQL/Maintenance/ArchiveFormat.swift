// SPDX-License-Identifier: Apache-2.0

/// How a backup is kept in a file. A backup has the schema of a store and every row of it, whatever
/// engine it comes from, so it also carries a store from one engine to the other.
package protocol ArchiveFormat: Sendable {
    /// Makes a new file at `path` (mode 0600) that `body` fills. The file appears whole, and
    /// durable, when this returns; when this throws there is none.
    func create(at path: String, _ body: (any SQLConnection) throws -> Void) throws

    /// Checks the file at `path`, and gives `body` its content in the schema of this version.
    /// The file itself stays as it is. Throws `invalidBackup` when it is not sound.
    func open(_ path: String, _ body: (any SQLConnection) throws -> Void) throws
}
