// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The attributes of a file or directory, after resolving links.
package struct FileStatus: Sendable, Equatable {
    package let owner: UInt32
    /// The permission bits, as `chmod` writes them.
    package let permissions: UInt32
    package let isOrdinaryFile: Bool
    /// In bytes.
    package let length: Int64
    /// The time of the last change of its content, in seconds since 1970.
    package let changedAt: Int64

    /// Returns `nil` if it does not exist or is not accessible.
    package init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// Reads the attributes of an open file.
    package init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init(_ facts: stat) {
        owner = facts.st_uid
        permissions = UInt32(facts.st_mode & 0o7777)
        isOrdinaryFile = facts.st_mode & S_IFMT == S_IFREG
        length = Int64(facts.st_size)
        #if canImport(Darwin)
            changedAt = Int64(facts.st_mtimespec.tv_sec)
        #else
            changedAt = Int64(facts.st_mtim.tv_sec)
        #endif
    }
}
