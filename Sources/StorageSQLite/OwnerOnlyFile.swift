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
    static func publish(_ temporary: String, at path: String) throws {
        do throws(PlatformError) {
            try DurableFile.publish(temporary, as: path)
        } catch {
            throw StorageError(.unavailable, "cannot write \(path): \(error.code)")
        }
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
