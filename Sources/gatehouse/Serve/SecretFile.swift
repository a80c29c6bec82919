// SPDX-License-Identifier: Apache-2.0
import Platform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Small files that only their owner may read.
enum SecretFile {
    /// The content, or `nil` when there is no such file.
    ///
    /// - Parameter limit: longest file that is read, in bytes.
    static func read(
        _ path: String, limit: Int = 1024 * 1024
    ) throws(FileError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FileError("cannot be read", path)
        }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = part.withUnsafeMutableBytes { FileCalls.read(descriptor, $0) }
            guard count >= 0 else { throw FileError("cannot be read", path) }
            if count == 0 { return content }
            content += part[..<count]
            guard content.count <= limit else { throw FileError("is too large", path, code: 0) }
        }
    }

    /// Makes the file with mode 0600 unless it is there: of several processes one wins, and
    /// nobody sees half a file. Returns the content that is there afterwards.
    static func create(_ path: String, _ content: [UInt8]) throws(FileError) -> [UInt8] {
        do throws(PlatformError) {
            _ = try DurableFile.create(path, content)
        } catch {
            throw FileError("cannot be made", path, code: error.code)
        }
        guard let winner = try read(path) else { throw FileError("is gone again", path, code: 0) }
        return winner
    }

    /// Replaces the file in one step; it is on the disk when this returns.
    static func replace(_ path: String, _ content: [UInt8]) throws(FileError) {
        do throws(PlatformError) {
            try DurableFile.replace(path, with: content)
        } catch {
            throw FileError("cannot be written", path, code: error.code)
        }
    }
}

/// What the system says of a file.
struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    var description: String

    /// - Parameter code: of the system; 0 when it is not to blame.
    init(_ what: String, _ path: String, code: Int32 = errno) {
        let reason = code == 0 ? "" : ": \(String(cString: strerror(code)))"
        description = "\(path) \(what)\(reason)"
    }
}
