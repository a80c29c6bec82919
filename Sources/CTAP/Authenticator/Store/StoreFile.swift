// SPDX-License-Identifier: Apache-2.0
package import Platform

/// The files of stores, with their errors.
package enum StoreFile {
    package static func exists(_ path: String) -> Bool { FileSystem.exists(path) }

    /// The content of a file that is no longer than `limit` bytes.
    package static func read(
        _ path: String, atMost limit: Int
    ) throws(AuthenticatorStoreError) -> [UInt8] {
        let content: [UInt8]
        do throws(PlatformError) {
            let file = try Descriptor.open(path)
            defer { file.close() }
            content = try file.readAll(limit: limit)
        } catch { throw AuthenticatorStoreError(error) }
        guard content.count <= limit else { throw .damaged }
        return content
    }

    /// Locks a file for this process.
    ///
    /// - Throws: ``AuthenticatorStoreError/inUse`` if another process holds the lock.
    package static func lock(_ path: String) throws(AuthenticatorStoreError) -> FileLock {
        let lock: FileLock?
        do throws(PlatformError) { lock = try FileLock.acquireIfFree(path) } catch {
            throw AuthenticatorStoreError(error)
        }
        guard let lock else { throw .inUse }
        return lock
    }

    /// Replaces the file, mode 0600.
    package static func write(
        _ content: [UInt8], to path: String, on disk: any Disk = SystemDisk()
    ) throws(AuthenticatorStoreError) {
        do throws(PlatformError) {
            try DurableFile.replace(path, with: content, on: disk)
        } catch {
            throw AuthenticatorStoreError(error)
        }
    }
}
