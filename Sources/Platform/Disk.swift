// SPDX-License-Identifier: Apache-2.0

/// The system calls that write a file so that it survives a loss of power. Tests use a fake disk
/// that records what was synchronized.
package protocol Disk: Sendable {
    /// Makes a file that is not there yet, open for writing, with exactly that mode.
    func create(_ path: String, mode: UInt32) throws(DiskError) -> Int32
    /// Opens a file or a folder, to synchronise it.
    func open(_ path: String) throws(DiskError) -> Int32
    /// Writes some of the bytes; how many.
    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(DiskError) -> Int
    /// Returns when the content of the file, or the names in the folder, are on the disk.
    func synchronize(_ file: Int32) throws(DiskError)
    func close(_ file: Int32)
    /// Renames a file, and replaces an existing one of the new name.
    func rename(_ path: String, to name: String) throws(DiskError)
    /// Has two files or folders take each other's names, at once: `ENOENT` when one is not there, `EINVAL`
    /// or `ENOSYS` when this file system cannot do it.
    func exchange(_ path: String, with name: String) throws(DiskError)
    /// Adds a second name to a file, which must be free: `EEXIST`.
    func link(_ path: String, to name: String) throws(DiskError)
    /// Deletes a name: `ENOENT` if it does not exist.
    func remove(_ path: String) throws(DiskError)
    /// Makes a folder: `EEXIST` when there is one.
    func makeFolder(_ path: String, mode: UInt32) throws(DiskError)
}

/// A call that the system refused.
package struct DiskError: Error, Sendable, Hashable {
    /// `rename`
    package let call: String
    package let path: String
    /// `errno`
    package let code: Int32

    package init(_ call: String, _ path: String, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }
}
