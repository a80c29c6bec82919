// SPDX-License-Identifier: Apache-2.0
package import Platform

/// A directory of small files that only their owner may use: modes 0700 and 0600.
///
/// A file is replaced in one step, so a reader sees the old or the new one. It is on the disk when
/// ``replace(_:with:)`` returns.
package struct OwnerOnlyDirectory: Sendable {
    package let path: String
    private let disk: any Disk
    private let flock: FileLock.Call
    /// The maximum size of a file, in bytes.
    package static let greatestLength = 1_048_576

    package init(
        _ path: String, on disk: any Disk = SystemDisk(),
        flock: @escaping FileLock.Call = FileLock.systemCall
    ) {
        self.path = path
        self.disk = disk
        self.flock = flock
    }

    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// Creates the directory and those above it.
    package func make() throws(UserClientError) {
        do throws(PlatformError) { try Directory.createAll(path) } catch {
            throw failure("cannot be made", error)
        }
        do throws(PlatformError) { try FileSystem.checkWritable(path) } catch {
            throw failure("cannot be written", error)
        }
    }

    /// Returns the content; `nil` if the file does not exist.
    package func read(_ name: String) throws(UserClientError) -> [UInt8]? {
        let bytes: [UInt8]?
        do throws(PlatformError) {
            bytes = try FileSystem.read(path(of: name), limit: Self.greatestLength)
        } catch { throw failure("cannot be read", error) }
        guard (bytes?.count ?? 0) <= Self.greatestLength else {
            throw .file("\(path(of: name)) is longer than \(Self.greatestLength) bytes")
        }
        return bytes
    }

    /// Whether ``replace(_:with:)`` did not write that file: it is longer than any file of this
    /// directory, or it is not a file.
    package func isForeign(_ name: String) -> Bool {
        guard let status = try? FileStatus(path(of: name)) else { return false }
        return status.kind != .file || status.length > Self.greatestLength
    }

    /// Replaces the file's content, or creates the file.
    package func replace(_ name: String, with bytes: [UInt8]) throws(UserClientError) {
        let path = path(of: name)
        do throws(PlatformError) {
            try DurableFile.replace(path, with: bytes, on: disk)
        } catch {
            throw failure("cannot be written", error)
        }
    }

    /// Deletes the file; has no effect if it does not exist.
    package func remove(_ name: String) throws(UserClientError) {
        do throws(PlatformError) {
            _ = try DurableFile.remove(path(of: name), on: disk)
        } catch {
            throw failure("cannot be removed", error)
        }
    }

    /// Returns the names of all files, including drafts and locks, in order.
    package func names() throws(UserClientError) -> [String] {
        do throws(PlatformError) { return try Directory.names(in: path).sorted() } catch {
            if error.code == .notFound { return [] }
            throw failure("cannot be read", error)
        }
    }

    /// Waits until no other process or task holds the lock of that name.
    package func lock(_ name: String) async throws -> FileLock {
        do { return try await FileLock.acquire(path(of: name), by: flock) } catch {
            guard let error = error as? PlatformError else { throw error }
            throw Self.unlocked(error)
        }
    }

    /// The lock of that name, or `nil` if another process or task holds it.
    package func lockIfFree(_ name: String) throws(UserClientError) -> FileLock? {
        do throws(PlatformError) {
            return try FileLock.acquireIfFree(path(of: name), by: flock)
        } catch { throw Self.unlocked(error) }
    }

    /// Some network file systems do not support locks. A caller must not continue without one.
    private static func unlocked(_ error: PlatformError) -> UserClientError {
        let problem = error.call == "open" ? "cannot be made" : "cannot be locked"
        return .file("\(error.path) \(problem): \(error.code)")
    }

    private func failure(_ what: String, _ error: PlatformError) -> UserClientError {
        .file("\(error.path) \(what): \(error.code)")
    }
}
