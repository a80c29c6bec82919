// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Platform

/// An open file of an extension: what was verified is what is used, even if its name then belongs to
/// another file. Closed with its last owner.
package final class ExtensionFile: Sendable {
    /// The maximum size of an executable.
    package static let maximumBytes = 1_073_741_824

    package let descriptor: Descriptor
    package let path: String
    /// In bytes.
    package let length: Int64

    /// Opens an ordinary file, not a link, and checks its owner and mode.
    ///
    /// - Parameter owner: The user who must own it; `nil` for any.
    /// - Throws: `notInstalled`, `unreadable`, `notAFile`, `ownerWrong`, `modeTooOpen`.
    package init(_ path: String, owner: UInt32?) throws(ExtensionTrustRefusal) {
        let descriptor: Descriptor
        do throws(PlatformError) {
            descriptor = try Descriptor.open(path, [.read, .noLinks, .nonBlocking])
        } catch { throw Self.refusal(opening: path, error.code) }
        do throws(ExtensionTrustRefusal) {
            guard let status = try? FileStatus(descriptor), status.kind == .file else {
                throw ExtensionTrustRefusal(.notAFile, "\(path) is not an ordinary file.")
            }
            if let owner { try FileTrustCheck.check(status, path, owner: owner) }
            length = status.length
        } catch {
            descriptor.close()
            throw error
        }
        (self.descriptor, self.path) = (descriptor, path)
    }

    deinit { descriptor.close() }

    private static func refusal(opening path: String, _ code: Errno) -> ExtensionTrustRefusal {
        switch code {
        case .notFound, .notADirectory: ExtensionTrustRefusal(.notInstalled, "\(path) is not there.")
        case .tooManyLinks: ExtensionTrustRefusal(.notAFile, "\(path) is a link.")
        default: ExtensionTrustRefusal(.unreadable, "\(path): \(code).")
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
        var offset = 0
        while !isEnough() {
            let part: [UInt8]
            do throws(PlatformError) {
                part = try descriptor.read(atMost: 262_144, at: offset)
            } catch { throw ExtensionTrustRefusal(.unreadable, "\(path): \(error.code).") }
            guard !part.isEmpty else { return }
            take(part[...])
            offset += part.count
        }
    }
}
