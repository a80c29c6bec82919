// SPDX-License-Identifier: Apache-2.0
package import Platform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder of small files that are for their owner alone: mode 0700 and 0600.
///
/// A file is replaced in one step, so a reader sees the old or the new, and is on the disk when
/// ``replace(_:with:)`` returns.
package struct OwnerOnlyDirectory: Sendable {
    package let path: String
    private let disk: any Disk
    private let flock: FileLock.Call
    /// Longest file that is read, in bytes.
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

    /// Makes the folder, and those above it.
    package func make() throws(UserClientError) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/\(part)"
            if mkdir(made, 0o700) != 0, ![EEXIST, EISDIR, EROFS, EACCES].contains(errno) {
                throw failure("cannot be made", made)
            }
        }
        guard access(path, W_OK) == 0 else { throw failure("cannot be written", path) }
    }

    /// The content; `nil` when there is no such file.
    package func read(_ name: String) throws(UserClientError) -> [UInt8]? {
        // Without a wait where somebody has put a pipe.
        let descriptor = open(path(of: name), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("cannot be read", path(of: name))
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= Self.greatestLength {
            let count = chunk.withUnsafeMutableBytes { buffer in
                Self.again { systemRead(descriptor, buffer.baseAddress, buffer.count) }
            }
            guard count >= 0 else { throw failure("cannot be read", path(of: name)) }
            if count == 0 { return bytes }
            bytes += chunk.prefix(count)
        }
        throw .file("\(path(of: name)) is longer than \(Self.greatestLength) bytes")
    }

    /// Whether what stands there was never written by ``replace(_:with:)``: longer than any file of
    /// this folder, or no file at all.
    package func isForeign(_ name: String) -> Bool {
        var status = stat()
        guard stat(path(of: name), &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG || status.st_size > Self.greatestLength
    }

    /// Puts the bytes in the place of the file's content, or makes the file.
    package func replace(_ name: String, with bytes: [UInt8]) throws(UserClientError) {
        let path = path(of: name)
        do throws(DiskError) {
            try DurableFile.replace(path, with: bytes, on: disk)
        } catch {
            throw failure("cannot be written", path, error.code)
        }
    }

    /// Removes the file; nothing happens when there is none.
    package func remove(_ name: String) throws(UserClientError) {
        do throws(DiskError) {
            _ = try DurableFile.remove(path(of: name), on: disk)
        } catch {
            throw failure("cannot be removed", path(of: name), error.code)
        }
    }

    /// The names of all files, drafts and locks among them, in order.
    package func names() throws(UserClientError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw failure("cannot be read", path)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Waits until no other process, and nobody else in this one, holds the lock of that name.
    package func lock(_ name: String) async throws -> FileLock {
        try await FileLock.acquire(path(of: name), by: flock)
    }

    /// The lock of that name, or `nil` when another process, or somebody else in this one, holds it.
    package func lockIfFree(_ name: String) throws(UserClientError) -> FileLock? {
        try FileLock.acquireIfFree(path(of: name), by: flock)
    }

    private func failure(
        _ what: String, _ path: String, _ code: Int32 = errno
    ) -> UserClientError {
        .file("\(path) \(what): \(String(cString: strerror(code)))")
    }

    private static func again(_ call: () -> Int) -> Int {
        while true {
            let count = call()
            if count >= 0 || errno != EINTR { return count }
        }
    }
}

private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = {
    read($0, $1, $2)
}
