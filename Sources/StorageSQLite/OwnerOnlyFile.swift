// SPDX-License-Identifier: Apache-2.0
import Platform
import Storage

/// Files that only their owner may read.
enum OwnerOnlyFile {
    /// Creates an empty file (mode 0600) if it is missing. SQLite gives its other files the mode of
    /// the main one, and synchronises the directory with the first of them.
    static func create(at path: String) throws {
        do throws(PlatformError) {
            try Descriptor.open(path, [.read, .write, .create]).close()
        } catch {
            throw StorageError(.unavailable, "cannot open \(path): \(error.code)")
        }
    }

    /// In bytes; `nil` if there is no such file.
    static func size(of path: String) -> Int64? { (try? FileStatus(path))?.length }

    /// Moves a finished file to its place, durably: the content, then the name.
    ///
    /// - Parameter replacing: whether a file of that name is replaced.
    static func publish(_ temporary: String, at path: String, replacing: Bool) throws {
        do throws(PlatformError) {
            guard !replacing else { return try DurableFile.publish(temporary, as: path) }
            do throws(PlatformError) {
                try DurableFile.publishNew(temporary, as: path)
            } catch {
                // A file system without links cannot exclude a file that appears now.
                guard error.call == "link", error.code != .exists, !FileSystem.exists(path) else {
                    throw error
                }
                try DurableFile.publish(temporary, as: path)
            }
        } catch {
            guard error.code != .exists else { throw Self.exists(path) }
            throw StorageError(.unavailable, "cannot write \(path): \(error.code)")
        }
    }

    /// Throws `fileExists` if there is a file of that name.
    static func checkIsNew(_ path: String) throws {
        guard !FileSystem.exists(path) else { throw exists(path) }
    }

    private static func exists(_ path: String) -> StorageError {
        StorageError(.fileExists, "\(path) exists; name a new file, or replace it")
    }

    /// Creates an empty file (mode 0600) with the lock of this process.
    static func createLocked(at path: String) throws -> FileLock {
        do throws(PlatformError) {
            if let lock = try FileLock.acquireIfFree(path) { return lock }
        } catch {
            throw StorageError(.unavailable, "cannot open \(path): \(error.code)")
        }
        throw StorageError(.unavailable, "another process uses \(path)")
    }

    /// The files whose paths start with `prefix`, in one directory.
    static func names(startingWith prefix: String) -> [String] {
        let slash = prefix.lastIndex(of: "/")
        let folder = slash.map { String(prefix[...$0]) } ?? ""
        let names = (try? Directory.names(in: folder.isEmpty ? "." : folder)) ?? []
        return names.map { folder + $0 }.filter { $0.hasPrefix(prefix) }
    }

    static func remove(_ path: String) { try? FileSystem.remove(path) }

    /// Copies a file's bytes into a new private one.
    static func copy(_ path: String, to target: String) throws {
        let source = try openToRead(path)
        defer { source.close() }
        try copy(source, to: target)
    }

    /// A descriptor, which the caller closes. The file can be removed before.
    static func openToRead(_ path: String) throws -> Descriptor {
        do throws(PlatformError) { return try Descriptor.open(path) } catch {
            throw StorageError(.invalidBackup, "cannot read \(path): \(error.code)")
        }
    }

    /// Copies the bytes of an open file. Several copies of one descriptor can run at the same time.
    static func copy(_ source: Descriptor, to target: String) throws {
        do throws(PlatformError) {
            let sink = try Descriptor.open(target, [.write, .create, .exclusive])
            defer { sink.close() }
            var offset = 0
            while true {
                let part = try source.read(atMost: 1 << 16, at: offset)
                if part.isEmpty { return }
                offset += part.count
                try sink.write(all: part)
            }
        } catch {
            guard error.call == "pread" else {
                throw StorageError(.unavailable, "cannot write \(target): \(error.code)")
            }
            throw StorageError(.invalidBackup, "\(error.code)")
        }
    }
}
