// SPDX-License-Identifier: Apache-2.0
import Crypto

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file of an extension that is open: what was looked at is what is used, whatever becomes of its
/// name. Closed with its last owner.
package final class ExtensionFile: Sendable {
    /// The longest executable.
    package static let maximumBytes = 1_073_741_824

    package let descriptor: Int32
    package let path: String
    /// In bytes.
    package let length: Int64

    /// Opens an ordinary file, no link, and judges its owner and mode.
    ///
    /// - Parameter owner: who must own it; `nil` when that does not matter.
    /// - Throws: `notInstalled`, `unreadable`, `notAFile`, `ownerWrong`, `modeTooOpen`.
    package init(_ path: String, owner: UInt32?) throws(ExtensionTrustRefusal) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.refusal(opening: path) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ExtensionTrustRefusal(.notAFile, "\(path) is not an ordinary file.")
        }
        do throws(ExtensionTrustRefusal) {
            if let owner { try FileTrustCheck.check(facts, path, owner: owner) }
        } catch {
            close(descriptor)
            throw error
        }
        (self.descriptor, self.path, length) = (descriptor, path, Int64(facts.st_size))
    }

    deinit { close(descriptor) }

    private static func refusal(opening path: String) -> ExtensionTrustRefusal {
        switch errno {
        case ENOENT, ENOTDIR: ExtensionTrustRefusal(.notInstalled, "\(path) is not there.")
        case ELOOP: ExtensionTrustRefusal(.notAFile, "\(path) is a link.")
        default: ExtensionTrustRefusal(.unreadable, "\(path): \(String(cString: strerror(errno))).")
        }
    }

    /// All of it.
    ///
    /// - Throws: `tooLarge`, `unreadable`.
    package func content(maximum: Int) throws(ExtensionTrustRefusal) -> [UInt8] {
        var content: [UInt8] = []
        try read { part in
            content += part
        } until: {
            content.count > maximum
        }
        guard content.count <= maximum else {
            throw ExtensionTrustRefusal(.tooLarge, "\(path) has more than \(maximum) bytes.")
        }
        return content
    }

    /// The SHA-256 of all of it, and its length as it was read.
    ///
    /// - Throws: `tooLarge`, `unreadable`.
    package func digest() throws(ExtensionTrustRefusal) -> (sha256: [UInt8], length: Int64) {
        var hash = SHA256()
        var length = 0
        try read { part in
            part.withUnsafeBytes { hash.update(bufferPointer: $0) }
            length += part.count
        } until: {
            length > Self.maximumBytes
        }
        guard length <= Self.maximumBytes else {
            throw ExtensionTrustRefusal(
                .tooLarge, "\(path) has more than \(Self.maximumBytes) bytes.")
        }
        return (Array(hash.finalize()), Int64(length))
    }

    private func read(
        _ take: (ArraySlice<UInt8>) -> Void, until isEnough: () -> Bool
    ) throws(ExtensionTrustRefusal) {
        var buffer = [UInt8](repeating: 0, count: 262_144)
        var offset = 0
        while !isEnough() {
            let count = buffer.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw ExtensionTrustRefusal(
                    .unreadable, "\(path): \(String(cString: strerror(errno))).")
            }
            guard count > 0 else { return }
            take(buffer[..<count])
            offset += count
        }
    }
}
