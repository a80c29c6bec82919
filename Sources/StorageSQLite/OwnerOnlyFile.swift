// SPDX-License-Identifier: Apache-2.0
import Platform
import Storage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files that only their owner may read.
enum OwnerOnlyFile {
    /// Creates an empty file (mode 0600) unless it exists. SQLite creates its side files with the
    /// mode of the main one, and syncs the directory with the first of them.
    static func create(at path: String) throws {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StorageError(.unavailable, "cannot open \(path): \(reason())")
        }
        close(descriptor)
    }

    /// Returns the size in bytes, or `nil` if the file does not exist.
    static func size(of path: String) -> Int64? {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int64(facts.st_size) : nil
    }

    /// Moves a finished file to its place, durably: the content, then the name.
    static func publish(_ temporary: String, at path: String) throws {
        do throws(DiskError) {
            try DurableFile.publish(temporary, as: path)
        } catch {
            throw StorageError(.unavailable, "cannot write \(path): \(reason(error.code))")
        }
    }

    static func remove(_ path: String) { unlink(path) }

    /// Copies a file's bytes into a new private one.
    static func copy(_ path: String, to target: String) throws {
        let source = try openToRead(path)
        defer { close(source) }
        try copy(source, to: target)
    }

    /// A descriptor, which the caller closes. The file can be removed before.
    static func openToRead(_ path: String) throws -> Int32 {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else {
            throw StorageError(.invalidBackup, "cannot read \(path): \(reason())")
        }
        return source
    }

    /// Copies the bytes of an open file. Several copies of one descriptor can run at the same time.
    static func copy(_ source: Int32, to target: String) throws {
        let sink = open(target, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard sink >= 0 else {
            throw StorageError(.unavailable, "cannot write \(target): \(reason())")
        }
        defer { close(sink) }
        try transfer(source, sink)
    }

    private static func transfer(_ source: Int32, _ sink: Int32) throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var offset: off_t = 0
        while true {
            let count = pread(source, &buffer, buffer.count, offset)
            guard count >= 0 else { throw StorageError(.invalidBackup, reason()) }
            if count == 0 { return }
            offset += off_t(count)
            guard write(sink, buffer, count) == count else {
                throw StorageError(.unavailable, reason())
            }
        }
    }

    private static func reason(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}
