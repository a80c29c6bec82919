// SPDX-License-Identifier: Apache-2.0
/// Files that are the old one or the new one, whole, wherever a loss of power cuts the writing off.
///
/// The new content goes to a file beside the old one and is brought to the disk. Only then it gets the name,
/// and the folder with the name is brought to the disk as well. A call that has returned is so for good.
package enum DurableFile {
    /// Puts the content in the place of the file's, or makes the file.
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

    /// Gives a file that was written elsewhere on the same disk its name.
    package static func publish(
        _ draft: String, as path: String, on disk: any Disk = SystemDisk()
    ) throws(PlatformError) {
        try synchronize(draft, on: disk)
        try disk.rename(draft, to: path)
        try synchronizeFolder(of: path, on: disk)
    }

    /// Puts a folder that was written elsewhere on the same disk in the place of another, which gets the
    /// draft's name in exchange, for the caller to remove.
    ///
    /// A reader finds one of the two, whole, also after a loss of power. Where the file system cannot exchange
    /// names, there is neither between two renames.
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

    /// Makes the folder unless there is one, with the umask's say in its mode.
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

    /// A file beside `path` with the content, on the disk.
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
