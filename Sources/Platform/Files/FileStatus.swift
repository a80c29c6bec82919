// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Kind, owner and permissions of a file or directory (stat(2)).
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case file, directory, link, socket, characterDevice, other
    }

    package let kind: Kind
    /// The user id.
    package let owner: UInt32
    /// Permissions, as `chmod` writes them.
    package let permissions: UInt32
    /// In bytes.
    package let length: Int64
    /// The time of the last change of the content, in seconds since 1970.
    package let changedAt: Int64

    /// - Parameter followsLinks: Whether it is the status of the file that a link leads to.
    package init(_ path: String, followsLinks: Bool = true) throws(PlatformError) {
        var status = stat()
        let result = followsLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { throw .last("stat", path) }
        self.init(status)
    }

    package init(_ file: Descriptor) throws(PlatformError) {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else { throw .last("fstat") }
        self.init(status)
    }

    private init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .directory
        case S_IFLNK: kind = .link
        case S_IFSOCK: kind = .socket
        case S_IFCHR: kind = .characterDevice
        default: kind = .other
        }
        owner = status.st_uid
        permissions = UInt32(status.st_mode & 0o7777)
        length = Int64(status.st_size)
        #if canImport(Darwin)
            changedAt = Int64(status.st_mtimespec.tv_sec)
        #else
            changedAt = Int64(status.st_mtim.tv_sec)
        #endif
    }

    /// Whether users other than the owner may write to it.
    package var isWritableByOthers: Bool { permissions & 0o022 != 0 }
    /// Whether users other than the owner may not do anything with it.
    package var isForOwnerOnly: Bool { permissions & 0o077 == 0 }
    /// Whether only the owner of an entry may replace or remove it (sticky bit).
    package var isSticky: Bool { permissions & UInt32(S_ISVTX) != 0 }
}
