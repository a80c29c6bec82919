// SPDX-License-Identifier: Apache-2.0
/// Files that are the old one or the new one, whole, wherever a loss of power cuts the writing off.
///
/// The new content is written to a temporary file in the same directory and synchronized. Then it
/// is renamed, and the directory is synchronized as well. After the return the change is durable.
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

    /// Makes the file unless there is one; whether it did. Of several processes one wins.
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
        // The file of another process too: the caller continues with its content.
        try synchronizeFolder(of: path, on: disk)
        return isNew
    }

    /// Renames a file that was written elsewhere on the same disk.
    package static func publish(
        _ draft: String, as path: String, on disk: any Disk = SystemDisk()
    ) throws(PlatformError) {
        try synchronize(draft, on: disk)
        try disk.rename(draft, to: path)
        try synchronizeFolder(of: path, on: disk)
    }

    /// Exchanges a directory that was written elsewhere on the same disk with another, which gets
    /// the draft's name, for the caller to delete.
    ///
    /// A reader finds one of the two completely, also after a loss of power. If the file system
    /// cannot exchange names, there is neither between two renames.
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

    /// Removes the file; whether there was one.
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

    /// Creates the directory unless it exists, with a mode that the umask modifies.
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

    /// Returns when a file, or the names in a folder, are on the disk.
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

    /// `.` for a bare name. A slash at the end belongs to the name.
    static func folder(of path: String) -> String {
        let name = path.utf8.last == UInt8(ascii: "/") ? path.dropLast() : path[...]
        guard let slash = name.lastIndex(of: "/") else { return "." }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }

    /// Writes a synchronized file with the content to the directory of `path`.
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

    /// A draft that stays is of no harm.
    private static func abandon(_ draft: String, _ disk: any Disk) { try? disk.remove(draft) }
}
