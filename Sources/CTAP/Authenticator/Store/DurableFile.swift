// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Whole files that are either the old one or the new one, whatever happens in between.
///
/// The new content goes to a file beside the old one, is brought to the disk, and takes the old
/// one's name; then the folder is brought to the disk as well.
package enum DurableFile {
    /// Where a write stands; tests stop it there.
    package enum Step: Int, Sendable, CaseIterable, Comparable {
        case created, halfWritten, written, synchronized, renamed, folderSynchronized

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// Called before each step is left behind; what it throws ends the write there, as a loss of
    /// power would.
    package typealias Probe = @Sendable (Step) throws(AuthenticatorStoreError) -> Void

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func failure(_ call: String) -> AuthenticatorStoreError {
        .system(call: call, code: errno)
    }

    /// The content of a file that is no longer than `limit` bytes.
    package static func read(
        _ path: String, atMost limit: Int
    ) throws(AuthenticatorStoreError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open") }
        defer { close(file) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Self.read(file, &buffer)
            guard count >= 0 else { throw failure("read") }
            if count == 0 { return content }
            content += buffer.prefix(count)
            guard content.count <= limit else { throw .damaged }
        }
    }

    private static func read(_ file: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { bytes in
            var count: Int
            repeat {
                #if canImport(Glibc)
                    count = Glibc.read(file, bytes.baseAddress, bytes.count)
                #elseif canImport(Musl)
                    count = Musl.read(file, bytes.baseAddress, bytes.count)
                #else
                    count = Darwin.read(file, bytes.baseAddress, bytes.count)
                #endif
            } while count < 0 && errno == EINTR
            return count
        }
    }

    /// Replaces the file, mode 0600.
    package static func write(
        _ content: [UInt8], to path: String, probe: Probe? = nil
    ) throws(AuthenticatorStoreError) {
        let temporary = path + ".new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("open") }
        defer { close(file) }
        try probe?(.created)
        let middle = content.count / 2
        try append(content[..<middle], to: file)
        try probe?(.halfWritten)
        try append(content[middle...], to: file)
        try probe?(.written)
        guard fsync(file) == 0 else { throw failure("fsync") }
        try probe?(.synchronized)
        guard rename(temporary, path) == 0 else { throw failure("rename") }
        try probe?(.renamed)
        try synchronizeFolder(of: path)
        try probe?(.folderSynchronized)
    }

    private static func append(
        _ bytes: ArraySlice<UInt8>, to file: Int32
    ) throws(AuthenticatorStoreError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Self.write(file, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write") }
            rest = rest.dropFirst(count)
        }
    }

    private static func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(file, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(file, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(file, bytes.baseAddress, bytes.count)
        #endif
    }

    private static func synchronizeFolder(of path: String) throws(AuthenticatorStoreError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open") }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure("fsync") }
    }
}
