// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Calls on paths. ``DurableFile`` writes files.
package enum FileSystem {
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
    /// Throws if this process must not write to it.
    package static func checkWritable(_ path: String) throws(PlatformError) {
        guard access(path, W_OK) == 0 else { throw .last("access", path) }
    }
    package static func isReadableAndWritable(_ path: String) -> Bool {
        access(path, R_OK | W_OK) == 0
    }
    package static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// Removes a name; nothing else is synchronised. See ``DurableFile/remove(_:on:)``.
    package static func remove(_ path: String) throws(PlatformError) {
        guard unlink(path) == 0 else { throw .last("unlink", path) }
    }

    package static func setPermissions(_ path: String, _ mode: UInt32) throws(PlatformError) {
        guard chmod(path, mode_t(mode)) == 0 else { throw .last("chmod", path) }
    }

    /// The path with all links resolved; `nil` if it does not exist.
    package static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// The path that a symbolic link contains.
    package static func target(ofLink path: String) throws(PlatformError) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        guard count >= 0 else { throw .last("readlink", path) }
        return text(buffer.prefix(count))
    }

    /// The content; `nil` if there is no such file.
    ///
    /// - Parameter limit: The result is longer if the file is. A pipe does not block.
    package static func read(_ path: String, limit: Int) throws(PlatformError) -> [UInt8]? {
        let file: Descriptor
        do throws(PlatformError) {
            file = try Descriptor.open(path, [.read, .nonBlocking])
        } catch {
            if error.code == .notFound || error.code == .notADirectory { return nil }
            throw error
        }
        defer { file.close() }
        do throws(PlatformError) { return try file.readAll(limit: limit) } catch {
            throw PlatformError(error.call, path, code: error.code)
        }
    }
}

/// Calls on directories.
package enum Directory {
    /// The names in it, in no order and without `.` and `..`.
    package static func names(in path: String) throws(PlatformError) -> [String] {
        guard let directory = opendir(path) else { throw .last("opendir", path) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Creates a directory and those above it that are missing. A parent that exists or cannot be
    /// created is not an error: the caller notices when it uses the directory.
    ///
    /// - Parameter path: Absolute.
    package static func createAll(_ path: String, mode: UInt32 = 0o700) throws(PlatformError) {
        let accepted: [Errno] = [.exists, .isDirectory, .readOnlyFileSystem, .accessDenied]
        var created = ""
        for part in path.split(separator: "/") {
            created += "/\(part)"
            if mkdir(created, mode_t(mode)) != 0, !accepted.contains(.current) {
                throw .last("mkdir", created)
            }
        }
    }

    /// Removes an empty directory.
    package static func remove(_ path: String) throws(PlatformError) {
        guard rmdir(path) == 0 else { throw .last("rmdir", path) }
    }

    /// Creates a directory with a new name, mode 0700, in `TMPDIR` or `/tmp`.
    package static func createTemporary(prefix: String) throws(PlatformError) -> String {
        let base = ProcessEnvironment["TMPDIR"] ?? "/tmp"
        var template = Array("\(base)/\(prefix)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .last("mkdtemp", base) }
        return text(template)
    }
}
