// SPDX-License-Identifier: Apache-2.0

/// The system calls that write a file so that it survives a loss of power. Tests use a fake disk
/// that records what was synchronized.
package protocol Disk: Sendable {
    /// Makes a file that is not there yet, open for writing, with exactly that mode.
    func create(_ path: String, mode: UInt32) throws(PlatformError) -> Int32
    /// Opens a file or a folder, to synchronise it.
    func open(_ path: String) throws(PlatformError) -> Int32
    /// Writes some of the bytes; how many.
    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(PlatformError) -> Int
    /// Returns when the content of the file, or the names in the folder, are on the disk.
    func synchronize(_ file: Int32) throws(PlatformError)
    func close(_ file: Int32)
    /// Renames a file, and replaces the file that has that name.
    func rename(_ path: String, to name: String) throws(PlatformError)
    /// Has two files or folders take each other's names, at once: `ENOENT` when one is not there, `EINVAL`
    /// or `ENOSYS` when this file system cannot do it.
    func exchange(_ path: String, with name: String) throws(PlatformError)
    /// Gives a file a second name, which must be free: `EEXIST`.
    func link(_ path: String, to name: String) throws(PlatformError)
    /// Takes a name away: `ENOENT` when there is no such name.
    func remove(_ path: String) throws(PlatformError)
    /// Makes a folder: `EEXIST` when there is one.
    func makeFolder(_ path: String, mode: UInt32) throws(PlatformError)
}
