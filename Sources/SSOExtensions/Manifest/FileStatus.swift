// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the system says of a file or folder, links followed.
package struct FileStatus: Sendable, Equatable {
    package let owner: UInt32
    /// Who may read, write and execute, as `chmod` writes it.
    package let permissions: UInt32
    package let isOrdinaryFile: Bool
    /// In bytes.
    package let length: Int64
    /// When its content changed last, in seconds since 1970.
    package let changedAt: Int64

    /// `nil` when it is not there, or out of reach.
    package init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// Of an open file.
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
