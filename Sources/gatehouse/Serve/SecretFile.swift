// SPDX-License-Identifier: Apache-2.0
import Platform

/// Small files that only their owner may read.
enum SecretFile {
    /// The content, or `nil` when there is no such file.
    ///
    /// - Parameter limit: longest file that is read, in bytes.
    static func read(
        _ path: String, limit: Int = 1024 * 1024
    ) throws(FileError) -> [UInt8]? {
        let content: [UInt8]?
        do throws(PlatformError) { content = try FileSystem.read(path, limit: limit) } catch {
            throw FileError("cannot be read", path, code: error.code)
        }
        guard (content?.count ?? 0) <= limit else { throw FileError("is too large", path) }
        return content
    }

    /// Creates the file with mode 0600 unless it exists. If several processes do so, one succeeds,
    /// and none reads an incomplete file. Returns the content of the file.
    static func create(_ path: String, _ content: [UInt8]) throws(FileError) -> [UInt8] {
        do throws(PlatformError) {
            _ = try DurableFile.create(path, content)
        } catch {
            throw FileError("cannot be made", path, code: error.code)
        }
        guard let winner = try read(path) else { throw FileError("is gone again", path) }
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

    /// - Parameter code: Of the system; `nil` if it is not the cause.
    init(_ what: String, _ path: String, code: Errno? = nil) {
        description = "\(path) \(what)" + (code.map { ": \($0)" } ?? "")
    }
}
