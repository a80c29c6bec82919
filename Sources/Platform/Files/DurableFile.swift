// SPDX-License-Identifier: Apache-2.0
/// Changes files atomically and durably: after a loss of power at any time, a file has its complete
/// old content or its complete new content.
///
/// The new content is written to a temporary file in the same directory and synchronized. Then the
/// file is renamed, and the directory is synchronized. After the return the change is durable.
package enum DurableFile {
    /// Replaces the file's content, or creates the file.
    package static func replace(
        _ path: String, with content: [UInt8], mode: UInt32 = 0o600,
        on disk: any Disk = SystemDisk()
    ) throws(PlatformError) {
        let draft = try write(content, beside: path, mode, disk)
        do throws(PlatformError) {
            try disk.rename(draft, to: path)
        } catch {
            abandon(draft, disk)
            throw error
        }
        try synchronizeFolder(of: path, on: disk)
    }

    /// Creates the file if none exists; `false` if one does. Of several processes, one creates it.
    package static func create(
        _ path: String, _ content: [UInt8], mode: UInt32 = 0o600, on disk: any Disk = SystemDisk()
    ) throws(PlatformError) -> Bool {
        let draft = try write(content, beside: path, mode, disk)
        defer { abandon(draft, disk) }
        var isNew = true
        do throws(PlatformError) {
            try disk.link(draft, to: path)
        } catch {
            guard error.code == .exists else { throw error }
            isNew = false
        }
        // Also if another process created the file: the caller then uses that content.
        try synchronizeFolder(of: path, on: disk)
        return isNew
    }

    /// Synchronizes a file or directory and gives it the name `path`, in the same file system. A
    /// file with that name is replaced. The directory of `path` is synchronized, that of `draft`
    /// is not.
    package static func publish(
        _ draft: String, as path: String, on disk: any Disk = SystemDisk()
    ) throws(PlatformError) {
        try synchronize(draft, on: disk)
        try disk.rename(draft, to: path)
        try synchronizeFolder(of: path, on: disk)
    }

    /// Synchronizes a file and gives it the name `path` unless a file has that name (`EEXIST`). The
    /// caller removes the name `draft`.
    package static func publishNew(
        _ draft: String, as path: String, on disk: any Disk = SystemDisk()
    ) throws(PlatformError) {
        try synchronize(draft, on: disk)
        try disk.link(draft, to: path)
        try synchronizeFolder(of: path, on: disk)
    }

    /// Exchanges the directories `draft` and `path`, in the same file system. The caller then
    /// deletes the old directory, which has the name `draft`. If `path` does not exist, `draft` is
    /// renamed.
    ///
    /// A reader finds one of the two completely, also after a loss of power. If the file system
    /// cannot exchange names, they are renamed one after the other, and in between `path` does not
    /// exist.
    package static func exchange(
        _ draft: String, with path: String, on disk: any Disk = SystemDisk()
    ) throws(PlatformError) {
        try synchronize(draft, on: disk)
        do throws(PlatformError) {
            try disk.exchange(draft, with: path)
        } catch {
            switch error.code {
            case .notFound: try disk.rename(draft, to: path)
            case .invalidArgument, .notImplemented: try exchangeByRenames(draft, path, disk)
            default: throw error
            }
        }
        try synchronizeFolder(of: path, on: disk)
    }

    private static func exchangeByRenames(
        _ draft: String, _ path: String, _ disk: any Disk
    ) throws(PlatformError) {
        let old = "\(draft).old"
        do throws(PlatformError) { try disk.rename(path, to: old) } catch {
            guard error.code == .notFound else { throw error }
            return try disk.rename(draft, to: path)
        }
        do throws(PlatformError) { try disk.rename(draft, to: path) } catch {
            try? disk.rename(old, to: path)
            throw error
        }
        try disk.rename(old, to: draft)
    }

    /// Removes the file; `false` if there was none.
    package static func remove(
        _ path: String, on disk: any Disk = SystemDisk()
    ) throws(PlatformError) -> Bool {
        do throws(PlatformError) {
            try disk.remove(path)
        } catch {
            guard error.code == .notFound || error.code == .notADirectory else { throw error }
            return false
        }
        try synchronizeFolder(of: path, on: disk)
        return true
    }

    /// Creates the directory if the name is free. The umask applies to the mode.
    package static func makeFolder(
        _ path: String, mode: UInt32 = 0o700, on disk: any Disk = SystemDisk()
    ) throws(PlatformError) {
        do throws(PlatformError) {
            try disk.makeFolder(path, mode: mode)
        } catch {
            guard error.code == .exists else { throw error }
            return
        }
        try synchronizeFolder(of: path, on: disk)
    }

    /// Returns when the content of a file, or the names in a directory, are on the disk.
    package static func synchronize(
        _ path: String, on disk: any Disk = SystemDisk()
    ) throws(PlatformError) {
        let file = try disk.open(path)
        defer { disk.close(file) }
        try disk.synchronize(file)
    }

    private static func synchronizeFolder(of path: String, on disk: any Disk) throws(PlatformError)
    {
        try synchronize(folder(of: path), on: disk)
    }

    /// The directory that contains `path`: `.` for a name without a slash. A slash at the end
    /// belongs to the name.
    static func folder(of path: String) -> String {
        let name = path.utf8.last == UInt8(ascii: "/") ? path.dropLast() : path[...]
        guard let slash = name.lastIndex(of: "/") else { return "." }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }

    /// Writes the content to a temporary file in the directory of `path`, synchronizes the file,
    /// and returns its path.
    private static func write(
        _ content: [UInt8], beside path: String, _ mode: UInt32, _ disk: any Disk
    ) throws(PlatformError) -> String {
        let draft = "\(path).\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).draft"
        let file = try disk.create(draft, mode: mode)
        defer { disk.close(file) }
        do throws(PlatformError) {
            var rest = content[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { bytes in
                    Result { () throws(PlatformError) in try disk.write(bytes, to: file) }
                }
                rest = rest.dropFirst(try count.get())
            }
            try disk.synchronize(file)
        } catch {
            abandon(draft, disk)
            throw PlatformError(error.call, path, code: error.code)
        }
        return draft
    }

    /// Removes the draft. A failure is ignored, because a draft that remains is harmless.
    private static func abandon(_ draft: String, _ disk: any Disk) { try? disk.remove(draft) }
}
