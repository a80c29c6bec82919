// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The disks of this machine.
package struct SystemDisk: Disk {
    /// write(2), or what a test puts in its place: a full disk, for example.
    package typealias Write = @Sendable (Int32, UnsafeRawPointer?, Int) -> Int

    private let writing: Write

    package init(write: @escaping Write = SystemDisk.systemWrite) { writing = write }

    package func create(_ path: String, mode: UInt32) throws(PlatformError) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = openFile(path, flags, 0o600)
        try check(file, "open", path)
        // Independent of the umask.
        guard fchmod(file, mode_t(mode)) == 0 else {
            let error = PlatformError("fchmod", path, code: .current)
            close(file)
            unlink(path)
            throw error
        }
        return file
    }

    package func open(_ path: String) throws(PlatformError) -> Int32 {
        let file = openFile(path, O_RDONLY | O_CLOEXEC, 0)
        try check(file, "open", path)
        return file
    }

    package func write(
        _ bytes: UnsafeRawBufferPointer, to file: Int32
    ) throws(PlatformError) -> Int {
        while true {
            let count = writing(file, bytes.baseAddress, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw PlatformError("write", "", code: count == 0 ? .noSpace : .current)
            }
            return count
        }
    }

    package func synchronize(_ file: Int32) throws(PlatformError) {
        // Some network file systems cannot do that for folders, and say EINVAL.
        guard fsync(file) == 0 || errno == EINVAL else {
            throw PlatformError("fsync", "", code: .current)
        }
    }

    package func close(_ file: Int32) { _ = closeFile(file) }

    package func rename(_ path: String, to name: String) throws(PlatformError) {
        try check(renameFile(path, name), "rename", name)
    }

    package func exchange(_ path: String, with name: String) throws(PlatformError) {
        try check(exchangeNames(path, name), "renameat2", name)
    }

    package func link(_ path: String, to name: String) throws(PlatformError) {
        try check(linkFile(path, name), "link", name)
    }

    package func remove(_ path: String) throws(PlatformError) {
        try check(unlink(path), "unlink", path)
    }

    package func makeFolder(_ path: String, mode: UInt32) throws(PlatformError) {
        try check(mkdir(path, mode_t(mode)), "mkdir", path)
    }

    private func check(_ result: Int32, _ call: String, _ path: String) throws(PlatformError) {
        guard result >= 0 else { throw PlatformError(call, path, code: .current) }
    }

    package static let systemWrite: Write = { writeFile($0, $1, $2) }
}

// The system's calls, under names that the methods above do not hide.
private let openFile: @Sendable (String, Int32, mode_t) -> Int32 = { open($0, $1, $2) }
private let closeFile: @Sendable (Int32) -> Int32 = { close($0) }
private let renameFile: @Sendable (String, String) -> Int32 = { rename($0, $1) }
private let exchangeNames: @Sendable (String, String) -> Int32 = { path, name in
    #if canImport(Darwin)
        return renamex_np(path, name, UInt32(RENAME_SWAP))
    #else
        // glibc declares it for GNU's own programs only; without it the caller has another way.
        typealias Call =
            @convention(c) (
                Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
            ) -> Int32
        guard let symbol = dlsym(nil, "renameat2") else {
            errno = ENOSYS
            return -1
        }
        let renameExchange: UInt32 = 2
        let call = unsafeBitCast(symbol, to: Call.self)
        return call(AT_FDCWD, path, AT_FDCWD, name, renameExchange)
    #endif
}
private let linkFile: @Sendable (String, String) -> Int32 = { link($0, $1) }
private let writeFile: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
